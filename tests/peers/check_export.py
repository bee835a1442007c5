"""Reads an exported folder with other people's tools: see README.md beside this script.

The Data Package and every table by frictionless, the Croissant description by mlcroissant, the
Parquet files by DuckDB and pandas; the three rates, computed in SQL, must be the summary's, and one
changed cell must be found.
"""

import json
import pathlib
import shutil
import sys
import tempfile

import duckdb
import frictionless
import mlcroissant
import numpy
import pandas

RATES = """
SELECT count(*),
       count(*) FILTER (access_class = 'whole_site'),
       count(*) FILTER (access_class IN ('whole_site', 'primary')),
       count(*) FILTER (access_class IN ('whole_site', 'primary', 'secondary'))
FROM read_parquet(?)
WHERE layer = 'policy'
"""


def package_errors(folder: pathlib.Path) -> list[str]:
    report = frictionless.validate(str(folder / "datapackage.json"))
    errors = [error for task in report.tasks for error in task.errors] + report.errors
    return [error.message for error in errors]


def check_rates(folder: pathlib.Path) -> None:
    stated = json.loads((folder / "run/summary.json").read_text())["rates"]
    parquet = str(folder / "parquet/merged.parquet")
    of, *counts = duckdb.execute(RATES, [parquet]).fetchone()
    for name, count in zip(("strict", "meaningful", "expanded"), counts, strict=True):
        assert (count, of) == (stated[name]["n"], stated[name]["of"]), (name, count, of)
        print(f"{name}: {count} of {of}, as stated")


def check_tables(folder: pathlib.Path) -> None:
    for name in ("merged", "crawlers", "paths", "review"):
        columnar = pandas.read_parquet(folder / f"parquet/{name}.parquet")
        text = pandas.read_csv(folder / f"run/{name}.csv", dtype=str, keep_default_na=False)
        assert list(columnar.columns) == list(text.columns), name
        assert len(columnar) == len(text), name
        for column in columnar.columns:
            cells = columnar[column]
            # A column of truths that may be null is one of objects.
            if all(isinstance(cell, (bool, numpy.bool_)) for cell in cells.dropna()):
                cells = cells.map({True: "true", False: "false"})
            elif cells.dtype.kind == "f":
                cells = cells.astype("Int64")
            cells = cells.astype("string").fillna("")
            assert (cells == text[column]).all(), f"{name}.{column}"
        print(f"{name}: {len(text)} rows, {len(text.columns)} columns, every cell as in the CSV")


def check_change_is_found(folder: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        changed = pathlib.Path(scratch) / "changed"
        shutil.copytree(folder, changed)
        merged = changed / "run/merged.csv"
        merged.write_text(merged.read_text().replace(",policy,", ",polite,", 1))
        errors = package_errors(changed)
        assert any("enum" in error for error in errors), errors
        assert any("hash" in error for error in errors), errors
        print("one changed cell is found, by its word and by its hash")


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    errors = package_errors(folder)
    assert not errors, errors[:5]
    print("datapackage.json: valid, every table with it")
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors, dataset.metadata.ctx.issues.errors
    print(f"croissant.json: valid, {len(dataset.metadata.record_sets)} record sets")
    check_rates(folder)
    check_tables(folder)
    check_change_is_found(folder)


main()
