//! The truth about a model's domains after three attempts, in the words of the result tables.
//!
//! Put together from the columns that each behaviour, guidance and homepage states by hand. An
//! empty cell means that the column does not apply, so a result must have it empty too.

use super::Model;
use super::check::ATTEMPTS;
use super::format::{AccessExpect, GuidanceExpect, HomepageExpect};

/// The columns, in their order. The last three name the model's own tables.
const COLUMNS: [&str; 23] = [
    "domain",
    "stratum",
    "layer",
    "robots_state",
    "failure_mode",
    "failure_operation",
    "failure_cause",
    "http_status",
    "access_class",
    "class_wildcard",
    "llms_state",
    "llms_likeness",
    "llms_failed_tests",
    "attempt",
    "resolution",
    "failure_history",
    "page_directives",
    "page_usage",
    "cms",
    "cdn",
    "behaviour",
    "guidance",
    "homepage",
];

/// Those that only a model whose failures all state them has.
const CAUSES: [&str; 2] = ["failure_operation", "failure_cause"];

/// How three attempts go for the domains that were dealt one behaviour.
struct Course {
    /// The attempt whose row counts.
    taken_from: u32,
    /// The behaviour that acted in it.
    behaviour: usize,
    resolution: &'static str,
    /// What each attempt gave: a failure mode, or `ok`.
    history: String,
}

impl Model {
    /// The truth table: one row a domain, in sample order.
    pub fn truth_csv(&self) -> String {
        let courses: Vec<Course> =
            (0..self.format.behaviour.len()).map(|dealt| self.course(dealt)).collect();
        let mut csv = self.line(COLUMNS.map(str::to_owned));
        for position in 0..self.n() {
            let course = &courses[usize::from(self.dealt[position].behaviour)];
            csv.push_str(&self.line(self.row(position, course)));
        }
        csv
    }

    /// A line of the table, without the columns about which the model says nothing.
    fn line(&self, cells: [String; COLUMNS.len()]) -> String {
        let states_causes = self.states_causes();
        let is_stated = |column: &str| states_causes || !CAUSES.contains(&column);
        let stated = COLUMNS.iter().zip(cells).filter(|(column, _)| is_stated(column));
        stated.map(|(_, cell)| cell).collect::<Vec<_>>().join(",") + "\n"
    }

    /// Whether the model says of its failures what was being done, and why.
    fn states_causes(&self) -> bool {
        self.format.behaviour.iter().any(|behaviour| !behaviour.expect.failure_cause.is_empty())
    }

    /// Follows a behaviour from attempt to attempt until policy is observed.
    fn course(&self, dealt: usize) -> Course {
        let expect = |attempt| &self.format.behaviour[self.acting(dealt, attempt)].expect;
        let observed = (1..=ATTEMPTS).find(|&attempt| expect(attempt).layer == "policy");
        let taken_from = observed.unwrap_or(ATTEMPTS);
        let resolution = match observed {
            Some(1) => "observed",
            Some(_) => "recovered",
            None => "unresolved",
        };
        let mode = |attempt| match observed == Some(attempt) {
            true => "ok",
            false => expect(attempt).failure_mode.as_str(),
        };
        let history = (1..=taken_from).map(mode).collect::<Vec<_>>().join(";");
        Course { taken_from, behaviour: self.acting(dealt, taken_from), resolution, history }
    }

    /// One row; no cell holds a comma or a quotation mark, as `check` and the word lists see to it.
    fn row(&self, position: usize, course: &Course) -> [String; COLUMNS.len()] {
        let dealt = self.dealt[position];
        let behaviour = &self.format.behaviour[course.behaviour];
        let guidance = dealt.guidance.map(|at| &self.format.guidance[usize::from(at)]);
        let homepage = dealt.homepage.map(|at| &self.format.homepage[usize::from(at)]);
        let AccessExpect {
            layer,
            robots_state,
            failure_mode,
            failure_operation,
            failure_cause,
            ..
        } = &behaviour.expect;
        let no_guidance = GuidanceExpect::default();
        let GuidanceExpect { llms_state, llms_likeness, llms_failed_tests } = behaviour
            .expect
            .guidance
            .as_ref()
            .or(guidance.map(|guidance| &guidance.expect))
            .unwrap_or(&no_guidance);
        let HomepageExpect { page_directives, page_usage, cms, cdn } =
            homepage.map_or(&behaviour.expect.homepage, |homepage| &homepage.expect);
        let status = behaviour.expect.http_status.map(|status| status.to_string());
        [
            self.domain(position),
            self.format.stratum[self.stratum_of(position)].name.get_ref().clone(),
            layer.clone(),
            robots_state.clone(),
            failure_mode.clone(),
            failure_operation.clone(),
            failure_cause.clone(),
            status.unwrap_or_default(),
            behaviour.expect.access_class.clone(),
            behaviour.expect.class_wildcard.clone(),
            llms_state.clone(),
            llms_likeness.clone(),
            llms_failed_tests.clone(),
            course.taken_from.to_string(),
            course.resolution.to_owned(),
            course.history.clone(),
            page_directives.clone(),
            page_usage.clone(),
            cms.clone(),
            cdn.clone(),
            self.format.behaviour[usize::from(dealt.behaviour)].name.get_ref().clone(),
            guidance.map_or_else(String::new, |guidance| guidance.name.get_ref().clone()),
            homepage.map_or_else(String::new, |homepage| homepage.name.get_ref().clone()),
        ]
    }
}
