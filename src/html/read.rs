//! What a page's markup says: a tag's attributes, the title, the visible text, the markup itself.
//!
//! Character references are decoded by html5ever's tokenizer, which is called nowhere else; it sees
//! one tag or one text at a time, each of bounded size, since its time for a tag grows with the
//! square of the tag's attributes.

use std::cell::RefCell;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use super::walk::{Piece, Walk};

/// The longest tag whose attributes are read, in octets.
const TAG_OCTETS: usize = 1_024;

/// The longest title and the most visible text that are decoded, in octets.
const TEXT_OCTETS: usize = 16_384;

/// A page's title, visible text and markup, kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The first title, references decoded, white space collapsed.
    pub title: String,
    /// The beginning of the visible text, references decoded, white space collapsed.
    pub text: String,
    /// How many words all visible text has.
    pub words: usize,
    /// Tags, comments and scripts in lower case, without quotes and white space; no visible text.
    pub markup: String,
}

/// Takes a page apart.
///
/// Scripts that hold data (JSON) are left out of the markup: articles travel in them.
pub fn outline(body: &[u8]) -> Outline {
    let mut outline = Outline::default();
    let (mut text, mut markup) = (Vec::new(), Vec::new());
    let (mut title, mut holds_data) = (None, false);
    for piece in Walk::new(body) {
        match piece {
            Piece::Text(octets) => {
                outline.words +=
                    octets.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).count();
                if text.len() < TEXT_OCTETS {
                    text.extend_from_slice(&octets[..octets.len().min(TEXT_OCTETS)]);
                    text.push(b' ');
                }
            }
            Piece::Start(_, tag) => {
                holds_data = memchr::memmem::find(&tag.to_ascii_lowercase(), b"json").is_some();
                markup.extend_from_slice(tag);
            }
            Piece::Raw("title", content) => {
                title.get_or_insert(content);
            }
            Piece::Raw("script", _) if holds_data => {}
            Piece::Raw("textarea" | "xmp" | "plaintext", _) | Piece::End(_) => {}
            Piece::Raw("noscript" | "iframe", content) => {
                markup.extend_from_slice(content);
                if text.len() < TEXT_OCTETS {
                    text.extend(shown(content).bytes().take(TEXT_OCTETS));
                    text.push(b' ');
                }
            }
            Piece::Raw(_, content) | Piece::Comment(content) => markup.extend_from_slice(content),
        }
    }
    let title = title.unwrap_or_default();
    outline.title = decoded(&title[..title.len().min(TEXT_OCTETS)]);
    outline.text = decoded(&text);
    outline.markup = squeezed(&markup);
    outline
}

/// The visible text of a page, references as written, pieces parted by spaces.
pub fn shown(body: &[u8]) -> String {
    let mut text = Vec::new();
    for piece in Walk::new(body) {
        if let Piece::Text(octets) | Piece::Raw("title", octets) = piece {
            text.extend_from_slice(octets);
            text.push(b' ');
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The attributes of a start tag, names in lower case, references decoded; of a duplicate the first
/// counts. A tag of more than 1024 octets has none.
pub fn attributes(tag: &[u8]) -> Vec<(String, String)> {
    if tag.len() > TAG_OCTETS {
        return Vec::new();
    }
    let sink = tokenized(tag, TokenizerOpts::default());
    let Some(tag) = sink.tag.into_inner() else { return Vec::new() };
    tag.attrs
        .into_iter()
        .map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()))
        .collect()
}

/// Markup or a marker in the form in which they are compared: lower case, no quotes, no white space.
pub fn squeezed(markup: &[u8]) -> String {
    String::from_utf8_lossy(markup)
        .chars()
        .filter(|character| !matches!(character, '"' | '\'') && !character.is_whitespace())
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

/// Text with its character references decoded and white space collapsed.
fn decoded(text: &[u8]) -> String {
    let options = TokenizerOpts {
        initial_state: Some(State::RawData(RawKind::Rcdata)),
        ..TokenizerOpts::default()
    };
    let text = tokenized(text, options).text.into_inner();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs html5ever's tokenizer over a bounded piece.
fn tokenized(piece: &[u8], options: TokenizerOpts) -> Kept {
    let tokenizer = Tokenizer::new(Kept::default(), options);
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(&*String::from_utf8_lossy(piece)));
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink
}

/// The first tag and all text that the tokenizer gave.
#[derive(Default)]
struct Kept {
    tag: RefCell<Option<Tag>>,
    text: RefCell<String>,
}

impl TokenSink for Kept {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => {
                self.tag.borrow_mut().get_or_insert(tag);
            }
            Token::CharacterTokens(text) => self.text.borrow_mut().push_str(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::{attributes, outline, shown};

    #[test]
    fn attributes_are_decoded_and_the_first_of_a_name_counts() {
        let read =
            attributes(b"<META Name='robots' content=\"no&#105;ndex&comma;nofollow\" name=x>");
        let expected = [("name", "robots"), ("content", "noindex,nofollow")];
        assert_eq!(read, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(attributes(format!("<meta {}>", "x ".repeat(4_096)).as_bytes()).is_empty());
    }

    #[test]
    fn title_text_and_markup_are_kept_apart() {
        let page = outline(
            b"<html><title> You&#39;re\n in </title><script>var A = 'b';</script>\
              <script type=\"application/json\">{\"c\":1}</script><p id=\"d\">e &amp; f</p>",
        );
        assert_eq!(page.title, "You're in");
        assert_eq!((page.text.as_str(), page.words), ("e & f", 3));
        assert!(page.markup.contains("vara=b;") && page.markup.contains("<pid=d>"));
        assert!(!page.markup.contains("{c:1}"));
    }

    #[test]
    fn shown_text_leaves_scripts_and_comments_out() {
        let text = shown(b"<title>a</title><style>b</style><!-- c --><p>d</p><script>e</script>");
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["a", "d"]);
    }
}
