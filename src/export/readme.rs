//! `README.md` of an exported folder: what it is, how to check it, how to read it.

use super::Format;
use super::study::Study;

/// The page.
pub(super) fn page(study: &Study<'_>, formats: &[Format]) -> String {
    let mut page = format!("# {}\n\n{}\n", study.title(), study.description());
    page.push_str("\n## The figures that pin it\n\n| figure | value |\n| --- | --- |\n");
    for (name, value) in study.facts() {
        page.push_str(&format!("| {name} | `{value}` |\n"));
    }
    page.push_str(
        "\n## How to check it\n\n\
         `sha256sum -c SHA256SUMS` holds every file to its digest with no software of ours;\n\
         `scanner verify run` derives every row and count of the run again.\n\
         \n## What is in it\n\n\
         - `run/`: the run as it was made; `merged.csv` has one row a domain of the sample.\n\
         - `columns.md`: what each column of each table means.\n",
    );
    for format in formats {
        page.push_str(match format {
            Format::Parquet => {
                "- `parquet/`: the merged tables with their types; a cell that does not apply is \
                 null.\n"
            }
            Format::Datapackage => {
                "- `datapackage.json`: a Data Package (2.0) with a schema a table.\n"
            }
            Format::Croissant => "- `croissant.json`: a Croissant (1.0) description.\n",
            Format::Citation => "- `CITATION.cff`: how to cite it.\n",
        });
    }
    if formats.contains(&Format::Parquet) {
        page.push_str(SQL);
    }
    page
}

/// How the three rates are computed from the Parquet files.
const SQL: &str = "
## The three rates in SQL

```sql
SELECT count(*) AS policy_observed,
       count(*) FILTER (access_class = 'whole_site') AS strict,
       count(*) FILTER (access_class IN ('whole_site', 'primary')) AS meaningful,
       count(*) FILTER (access_class IN ('whole_site', 'primary', 'secondary')) AS expanded
FROM 'parquet/merged.parquet'
WHERE layer = 'policy';
```
";
