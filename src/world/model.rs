//! The synthetic model of the fixture internet: shares in a TOML file, any number of domains.
//!
//! A model generates its own sample, says what each of its hosts does in each attempt, and knows
//! the truth about them: every behaviour states its expected columns by hand, and nothing here
//! calls the code that judges. Three dimensions are dealt independently: access (`behaviour`),
//! guidance and homepage; the last two only to hosts that answer more than one thing in the end, and
//! no homepage where the behaviour names its own.
//! Quotas are exact, and a domain's place in the dealing is a key drawn from (seed, dimension,
//! name), so that nothing depends on the order of anything. Serving is for `server`.

mod check;
mod format;
mod names;
mod quota;
#[cfg(test)]
mod tests;
mod truth;

use std::collections::BTreeMap;
use std::path::Path;

use self::format::Format;
use super::site::{Internet, Reply, Site};
use crate::files;
use crate::refusal::Refusal;
use crate::seed::Stream;

/// Octets of a model's file.
const MODEL_OCTETS: u64 = 4 * 1024 * 1024;

/// A model with a certain number of domains.
pub struct Model {
    format: Format,
    /// The behaviour that follows each behaviour, and from which attempt on.
    then: Vec<Option<(u32, usize)>>,
    /// The homepage that each behaviour names.
    homepages: Vec<Option<u16>>,
    /// The position of each stratum's first domain, and the end of the last.
    starts: Vec<usize>,
    /// What each domain of the sample was dealt.
    dealt: Vec<Dealt>,
}

/// What one domain was dealt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Dealt {
    behaviour: u16,
    /// Its guidance and its homepage; none where its behaviour leaves them no say.
    guidance: Option<u16>,
    homepage: Option<u16>,
}

impl Model {
    /// Reads a model from its file.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        let file = path.display().to_string();
        let text = files::read_text(path, MODEL_OCTETS).map_err(|error| {
            files::unreadable(path, &error, "name a model's TOML file that can be read")
        })?;
        Self::parse(&file, &text)
    }

    /// Reads a model from its text, and deals its own number of domains.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let format: Format =
            toml::from_str(text).map_err(|error| Refusal::of_toml(file, text, &error))?;
        check::check(file, text, &format)?;
        let position = |name: &String| {
            format.behaviour.iter().position(|behaviour| behaviour.name.get_ref() == name)
        };
        let then = format
            .behaviour
            .iter()
            .map(|behaviour| behaviour.heals_on.zip(behaviour.then.as_ref().and_then(position)))
            .collect();
        let homepage = |name: &String| {
            (0u16..).zip(&format.homepage).find(|(_, page)| page.name.get_ref() == name)
        };
        let homepages = format
            .behaviour
            .iter()
            .map(|behaviour| behaviour.homepage.as_ref().and_then(homepage).map(|(at, _)| at))
            .collect();
        let n = *format.model.n.get_ref();
        Ok(Self { format, then, homepages, starts: Vec::new(), dealt: Vec::new() }.with_n(n))
    }

    /// The same model with another number of domains.
    pub fn with_n(mut self, n: usize) -> Self {
        let shares: Vec<f64> = self.format.stratum.iter().map(|stratum| stratum.share).collect();
        self.starts = vec![0];
        for size in quota::apportion(n, &shares) {
            self.starts.push(self.starts.last().map_or(0, |start| start + size));
        }
        self.dealt = vec![Dealt::default(); n];
        self.deal_behaviours();
        self.deal_variants();
        self
    }

    /// What the model calls itself.
    pub fn name(&self) -> &str {
        &self.format.model.name
    }

    /// How many domains it has.
    pub fn n(&self) -> usize {
        self.dealt.len()
    }

    /// The sample that the model generates: `domain,stratum`, stratum by stratum.
    pub fn sample_csv(&self) -> String {
        let mut csv = String::from("domain,stratum\n");
        for position in 0..self.n() {
            let stratum = self.format.stratum[self.stratum_of(position)].name.get_ref();
            csv.push_str(&format!("{},{stratum}\n", self.domain(position)));
        }
        csv
    }

    /// The stratum of a position of the sample.
    fn stratum_of(&self, position: usize) -> usize {
        self.starts.partition_point(|&start| start <= position) - 1
    }

    /// The name of the domain at a position of the sample.
    fn domain(&self, position: usize) -> String {
        let stratum = self.stratum_of(position);
        names::at(&self.format.stratum[stratum].words, position - self.starts[stratum])
    }

    /// The position of a name in the sample.
    fn position(&self, domain: &str) -> Option<usize> {
        let words = self.format.stratum.iter().map(|stratum| stratum.words.as_slice());
        let (stratum, place) = names::place_of(words, domain)?;
        let position = self.starts[stratum].checked_add(place)?;
        (position < self.starts[stratum + 1]).then_some(position)
    }

    /// Deals a behaviour to every domain.
    fn deal_behaviours(&mut self) {
        let all: Vec<Vec<usize>> =
            self.starts.windows(2).map(|pair| (pair[0]..pair[1]).collect()).collect();
        let shares: Vec<_> =
            self.format.behaviour.iter().map(|variant| (variant.share, &variant.tilt)).collect();
        for (position, behaviour) in self.deal("behaviour", &all, &shares) {
            self.dealt[position].behaviour = behaviour;
        }
    }

    /// Deals guidance and homepages to the domains that have a say in them in the end; a behaviour
    /// that names its homepage has it without dealing.
    fn deal_variants(&mut self) {
        let strata = self.starts.len() - 1;
        let (mut speaking, mut open) = (vec![Vec::new(); strata], vec![Vec::new(); strata]);
        for stratum in 0..strata {
            for position in self.starts[stratum]..self.starts[stratum + 1] {
                let last = self.acting(self.dealt[position].behaviour.into(), check::ATTEMPTS);
                if self.format.behaviour[last].expect.guidance.is_some() {
                    continue;
                }
                speaking[stratum].push(position);
                self.dealt[position].homepage = self.homepages[last];
                if self.homepages[last].is_none() {
                    open[stratum].push(position);
                }
            }
        }
        let guidance: Vec<_> =
            self.format.guidance.iter().map(|variant| (variant.share, &variant.tilt)).collect();
        let homepage: Vec<_> =
            self.format.homepage.iter().map(|variant| (variant.share, &variant.tilt)).collect();
        let guidance = self.deal("guidance", &speaking, &guidance);
        let homepage = self.deal("homepage", &open, &homepage);
        for (position, variant) in guidance {
            self.dealt[position].guidance = Some(variant);
        }
        for (position, variant) in homepage {
            self.dealt[position].homepage = Some(variant);
        }
    }

    /// Deals the variants of one dimension to the domains of each stratum, by exact quotas, in the
    /// order of the domains' keys.
    fn deal(
        &self,
        dimension: &str,
        strata: &[Vec<usize>],
        variants: &[(f64, &BTreeMap<String, f64>)],
    ) -> Vec<(usize, u16)> {
        let sizes: Vec<usize> = strata.iter().map(Vec::len).collect();
        let total: usize = sizes.iter().sum();
        let shares: Vec<f64> = variants.iter().map(|(share, _)| *share).collect();
        if total == 0 || shares.iter().sum::<f64>() == 0.0 {
            return Vec::new();
        }
        let tilt = |stratum: usize, variant: usize| {
            let name = self.format.stratum[stratum].name.get_ref();
            variants[variant].1.get(name).copied().unwrap_or(1.0)
        };
        let quotas = quota::table(&sizes, &quota::apportion(total, &shares), tilt);
        let mut dealt = Vec::with_capacity(total);
        for (positions, of_stratum) in strata.iter().zip(&quotas) {
            let mut keyed: Vec<(u64, usize)> =
                positions.iter().map(|&at| (self.key(dimension, at), at)).collect();
            keyed.sort_unstable();
            let hand = (0u16..)
                .zip(of_stratum)
                .flat_map(|(variant, &quota)| std::iter::repeat_n(variant, quota));
            dealt.extend(keyed.into_iter().map(|(_, at)| at).zip(hand));
        }
        dealt
    }

    /// A domain's place in the dealing of a dimension.
    fn key(&self, dimension: &str, position: usize) -> u64 {
        let seed = self.format.model.seed.to_le_bytes();
        let domain = self.domain(position);
        let parts: [&[u8]; 3] = [&seed, dimension.as_bytes(), domain.as_bytes()];
        Stream::new("scanner model", &parts).next_u64()
    }

    /// The behaviour that acts in an attempt for a domain that was dealt this one.
    fn acting(&self, dealt: usize, attempt: u32) -> usize {
        let mut behaviour = dealt;
        while let Some((_, next)) = self.then[behaviour].filter(|(from, _)| *from <= attempt) {
            behaviour = next;
        }
        behaviour
    }
}

impl Internet for Model {
    fn site(&self, host: &str, attempt: u32) -> Option<Site> {
        let Some(position) = self.position(host) else {
            let host = self.format.host.iter().find(|known| known.name.get_ref() == host)?;
            let reply = |(path, answer): (&String, &format::Answer)| {
                (path.clone(), answer.reply(host.name.get_ref()))
            };
            return Some(Site {
                replies: host.answers.iter().map(reply).collect(),
                ..Site::default()
            });
        };
        let dealt = self.dealt[position];
        let behaviour = &self.format.behaviour[self.acting(dealt.behaviour.into(), attempt)];
        let mut site = Site {
            dns: behaviour.dns,
            connection: behaviour.connection,
            tls: behaviour.tls,
            ..Site::default()
        };
        let robots = behaviour.robots.as_ref().map(|answer| answer.reply(host));
        if behaviour.whole_host {
            site.otherwise = robots.unwrap_or_default();
            return Some(site);
        }
        let mut answers: BTreeMap<String, Reply> = BTreeMap::new();
        if let Some(at) = dealt.homepage {
            let homepage = &self.format.homepage[usize::from(at)];
            answers.insert("/".into(), homepage.page.reply(host));
        }
        if let Some(at) = dealt.guidance {
            let guidance = &self.format.guidance[usize::from(at)];
            answers.extend(guidance.also.iter().map(|(path, to)| (path.clone(), to.reply(host))));
            answers.extend(guidance.llms.iter().map(|to| ("/llms.txt".into(), to.reply(host))));
            if let Some(otherwise) = &guidance.otherwise {
                site.otherwise = otherwise.reply(host);
            }
        }
        answers.extend(behaviour.also.iter().map(|(path, to)| (path.clone(), to.reply(host))));
        answers.extend(robots.map(|reply| ("/robots.txt".into(), reply)));
        site.replies = answers;
        Some(site)
    }

    fn some_hosts(&self, most: usize) -> Vec<String> {
        (0..self.n().min(most)).map(|position| self.domain(position)).collect()
    }

    fn deadline_ms(&self) -> Option<u64> {
        Some(self.format.model.deadline_ms)
    }
}
