//! What the form of a name shows without knowing the word: a number, a year, a day, a code, a title.
//!
//! A form says that one record or one page is meant, or an archive of a year. It says nothing of
//! what the record holds; which class follows is for the rules.

use super::vocabulary::PREPOSITIONS;

/// The form of one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A word or several, or a wildcard: the form shows nothing.
    Word,
    /// Four digits that are a year from 1900 to 2099.
    Year,
    /// Digits alone, and no year.
    Number(u32),
    /// A whole date in one segment: `2023-05-04`.
    Day,
    /// A key that a machine made: hexadecimal, a UUID, letters mixed with digits, or a name that
    /// ends in a number of five digits or more.
    Code,
    /// Two words or more joined by capitals alone (`AddToList`), as programs name their parts.
    Joined,
    /// Three letters or digits at most.
    Short,
    /// A name with a number of four digits at most at its end (`home-2`, `article7`).
    Numbered,
    /// Holds a brace or an angle bracket, as a template does that was not filled in.
    Placeholder,
    /// Four words or more joined by `-`, `_`, `+` or spaces: the title of a page.
    Title,
}

impl Form {
    /// The form of a segment as it is written, decoded and without its ending.
    pub(super) fn of(segment: &str) -> Self {
        let is_digit = |octet: u8| octet.is_ascii_digit();
        if segment.is_empty() || segment.contains('*') {
            Self::Word
        } else if segment.bytes().all(is_digit) {
            let number = segment.parse().unwrap_or(u32::MAX);
            let is_year = segment.len() == 4 && (1900..2100).contains(&number);
            if is_year { Self::Year } else { Self::Number(number) }
        } else if segment.contains(['{', '}', '<', '>']) {
            Self::Placeholder
        } else if is_day(segment) {
            Self::Day
        } else if is_title(segment) {
            Self::Title
        } else if is_code(segment) {
            Self::Code
        } else if is_joined(segment) {
            Self::Joined
        } else if segment.chars().count() <= 3 && segment.chars().all(char::is_alphanumeric) {
            Self::Short
        } else if is_numbered(segment) {
            Self::Numbered
        } else {
            Self::Word
        }
    }
}

/// How many leading segments are a date to the month or the day; 0 if they are none.
pub(super) fn date_of(forms: &[Form]) -> usize {
    let is_month = |form: &Form| matches!(form, Form::Number(1..=12));
    let is_day = |form: &Form| matches!(form, Form::Number(1..=31));
    match forms {
        [Form::Day, ..] => 1,
        [Form::Year, month, day, ..] if is_month(month) && is_day(day) => 3,
        [Form::Year, month, ..] if is_month(month) => 2,
        _ => 0,
    }
}

/// Whether this is `YYYY-MM-DD`.
fn is_day(segment: &str) -> bool {
    let parts: Vec<&str> = segment.split(['-', '_', '.']).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [4, 2, 2] && parts.iter().all(|part| part.bytes().all(|o| o.is_ascii_digit()))
}

/// Whether this is four words or more.
fn is_title(segment: &str) -> bool {
    let is_word = |word: &&str| !word.is_empty() && !PREPOSITIONS.contains(word);
    let words = segment.split(['-', '_', '+', ' ']).filter(is_word);
    let is_text = segment.chars().all(|c| c.is_alphanumeric() || "-_+ ,'’!.".contains(c));
    let has_words = segment.chars().filter(|c| c.is_alphabetic()).count() * 2 > segment.len();
    is_text && has_words && words.count() >= 4
}

/// Whether capitals alone join words: a capital after a small letter, and no other separator.
fn is_joined(segment: &str) -> bool {
    let octets = segment.as_bytes();
    let is_capital = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    octets.iter().all(u8::is_ascii_alphanumeric) && octets.windows(2).any(is_capital)
}

/// Whether a number is appended to a name of three letters at least.
fn is_numbered(segment: &str) -> bool {
    let name = segment.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = segment.len() - name.len();
    (1..=4).contains(&digits) && name.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// Whether a machine made this.
fn is_code(segment: &str) -> bool {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'-' || octet == b'_';
    if !segment.bytes().all(is_plain) {
        return false;
    }
    let digits = segment.bytes().filter(u8::is_ascii_digit).count();
    let bare: Vec<u8> = segment.bytes().filter(|octet| !b"-_".contains(octet)).collect();
    let is_hexadecimal = bare.len() >= 8 && digits > 0 && bare.iter().all(u8::is_ascii_hexdigit);
    let turns = bare.windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit());
    let is_mixed = bare.len() >= 8 && digits >= 3 && turns.count() >= 3;
    let trailing = bare.iter().rev().take_while(|octet| octet.is_ascii_digit()).count();
    is_hexadecimal || is_mixed || trailing >= 5
}

#[cfg(test)]
mod tests {
    use super::{Form, date_of};

    #[test]
    fn the_form_of_a_name_shows_what_a_machine_made() {
        for (segment, form) in [
            ("blog", Form::Word),
            ("", Form::Word),
            ("v1", Form::Short),
            ("web2", Form::Numbered),
            ("home-new-2", Form::Numbered),
            ("2fa", Form::Short),
            ("top-10-hotels", Form::Word),
            ("terms-of-use", Form::Word),
            ("AcceptDeferredTermsAndConditions", Form::Joined),
            ("abc*123456", Form::Word),
            ("{{url}}", Form::Placeholder),
            ("2023", Form::Year),
            ("5349", Form::Number(5349)),
            ("99999999999999", Form::Number(u32::MAX)),
            ("2023-05-04", Form::Day),
            ("B007HCCOD0", Form::Code),
            ("b66f0091-9b2c-4f43-8f6f-1c2a3b4d5e6f", Form::Code),
            ("story-1234567", Form::Code),
            ("covid-2020", Form::Numbered),
            ("decade", Form::Word),
            ("how-to-make-tea-at-home", Form::Title),
            ("Sidor_som_bör_raderas_nu", Form::Title),
        ] {
            assert_eq!(Form::of(segment), form, "{segment}");
        }
    }

    #[test]
    fn a_date_is_a_year_and_a_month_or_a_whole_day() {
        for (path, expected) in [
            ("2023/05/04/x", 3),
            ("2023/05/x", 2),
            ("2023/x", 0),
            ("2023/13", 0),
            ("2023-05-04/x", 1),
            ("05/2023", 0),
        ] {
            let forms: Vec<Form> = path.split('/').map(Form::of).collect();
            assert_eq!(date_of(&forms), expected, "{path}");
        }
    }
}
