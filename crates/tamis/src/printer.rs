//! The only place that writes to the terminal: data to standard output, talk to standard error.
//!
//! A reader of standard output that goes away (`tamis class x.jar | head -1`) is no failure. What
//! would still be written is dropped, and the command goes on to its end, so that its exit code is
//! the same as if somebody had read everything.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anstream::AutoStream;
use anstream::ColorChoice;
use serde::Serialize;

use crate::cli_error::CliError;
use crate::escape::printable;
use crate::exit_code;
use crate::text::Palette;

/// From when on something that is under way is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes what a command has to say.
pub(crate) struct Printer {
    data: BufWriter<UntilClosed<StdoutLock<'static>>>,
}

impl Printer {
    pub(crate) fn new() -> Self {
        Self {
            data: BufWriter::new(UntilClosed::new(io::stdout().lock())),
        }
    }

    /// The colours for text on standard output; none unless a terminal shows them.
    pub(crate) fn palette() -> Palette {
        palette(AutoStream::choice(&io::stdout()))
    }

    /// Writes text to standard output.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.data
            .write_all(text.as_bytes())
            .map_err(CliError::Write)
    }

    /// Writes a document as JSON to standard output.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), CliError> {
        serde_json::to_writer_pretty(&mut self.data, document)
            .map_err(|error| CliError::Write(error.into()))?;
        self.text("\n")
    }

    /// Hands over what is still in memory.
    pub(crate) fn finish(&mut self) -> Result<(), CliError> {
        self.data.flush().map_err(CliError::Write)
    }
}

/// Tells what went wrong: each failure with its causes, then what to do about them.
pub(crate) fn report_errors(errors: &[CliError]) {
    if !errors.is_empty() {
        talk(&report(errors, &palette(AutoStream::choice(&io::stderr()))));
    }
}

/// Tells what a user should know although nothing failed.
pub(crate) fn warn(text: &str) {
    talk(&format!("warning: {}\n", printable(text)));
}

/// Tells something beside the data, in the colours that standard error shows.
pub(crate) fn say(text: impl Fn(&Palette) -> String) {
    let palette = palette(AutoStream::choice(&io::stderr()));
    talk(&format!("{}\n", text(&palette)));
}

/// Shows that something is under way, from a second on and on a terminal only, until the value is dropped.
pub(crate) fn wait(what: &'static str) -> Waiting {
    let is_shown =
        io::stderr().is_terminal() && env::var_os("TERM").is_some_and(|term| term != "dumb");
    Waiting {
        shown: is_shown.then(|| {
            let (tell, told) = mpsc::channel();
            (tell, thread::spawn(move || show_waiting(what, &told)))
        }),
    }
}

/// Something is under way.
pub(crate) struct Waiting {
    /// What is said from then on goes to the thread that shows it.
    shown: Option<(mpsc::Sender<String>, thread::JoinHandle<()>)>,
}

impl Waiting {
    /// Says how far it is.
    pub(crate) fn tell(&self, what: String) {
        if let Some((tell, _)) = &self.shown {
            // A thread that shows nothing any more need not know.
            let _ = tell.send(what);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let Some((tell, thread)) = self.shown.take() else {
            return;
        };
        drop(tell);
        // A thread that only shows something has nothing to tell.
        let _ = thread.join();
    }
}

/// Until nobody can say anything any more.
fn show_waiting(what: &str, told: &mpsc::Receiver<String>) {
    let mut what = what.to_owned();
    let begun = Instant::now();
    let mut marks = ["|", "/", "-", "\\"].iter().cycle();
    let mut is_shown = false;
    loop {
        match told.recv_timeout(Duration::from_millis(100)) {
            Ok(text) => what = text,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if begun.elapsed() >= PATIENCE {
            let mark = marks.next().unwrap_or(&"");
            talk(&format!("\r{mark} {} \u{1b}[K", printable(&what)));
            is_shown = true;
        }
    }
    if is_shown {
        talk("\r\u{1b}[K");
    }
}

/// Prints what clap has to say: help, the version, or what is wrong with the command line.
pub(crate) fn print_usage(message: &clap::Error) -> u8 {
    // Nobody is left to be told when it cannot be printed.
    let _ = message.print();
    if message.use_stderr() {
        exit_code::WRONG_USE
    } else {
        exit_code::SUCCESS
    }
}

/// Tells that Tamis itself failed, and how to report it.
pub(crate) fn report_bug(panic: &str) {
    let version = env!("CARGO_PKG_VERSION");
    talk(&format!(
        "error: internal error in tamis {version}\n  cause: {}\n\n\
         hint: this is a bug in Tamis; please report it with these lines and the command\n",
        printable(panic)
    ));
}

fn talk(text: &str) {
    // Nobody is left to be told when standard error is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}

fn palette(choice: ColorChoice) -> Palette {
    match choice {
        ColorChoice::Never => Palette::plain(),
        _ => Palette::coloured(),
    }
}

fn report(errors: &[CliError], palette: &Palette) -> String {
    let mut text = String::new();
    let mut hints = Vec::new();
    for error in errors {
        push_line(&mut text, &palette.error("error:"), error);
        let mut cause = error.source();
        while let Some(error) = cause {
            push_line(&mut text, "  cause:", error);
            cause = error.source();
        }
        for hint in error.hints() {
            if !hints.contains(&hint) {
                hints.push(hint);
            }
        }
    }
    if !hints.is_empty() {
        text.push('\n');
    }
    for hint in &hints {
        push_line(&mut text, &palette.hint("hint:"), hint);
    }
    text
}

fn push_line(text: &mut String, label: &str, message: &(impl ToString + ?Sized)) {
    let message = printable(&message.to_string());
    writeln!(text, "{label} {message}").expect("a string takes whatever is written");
}

/// A stream that swallows everything once its reader is gone.
struct UntilClosed<W> {
    stream: W,
    is_closed: bool,
}

impl<W: Write> UntilClosed<W> {
    fn new(stream: W) -> Self {
        Self {
            stream,
            is_closed: false,
        }
    }

    fn unless_closed<T>(
        &mut self,
        swallowed: T,
        write: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.is_closed {
            return Ok(swallowed);
        }
        match write(&mut self.stream) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(swallowed)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes two bytes and then fails.
    struct Failing {
        kind: io::ErrorKind,
        taken: Vec<u8>,
    }

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.taken.len() == 2 {
                return Err(self.kind.into());
            }
            self.taken.push(bytes[0]);
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn write_to(kind: io::ErrorKind) -> io::Result<Vec<u8>> {
        let mut stream = UntilClosed::new(Failing {
            kind,
            taken: Vec::new(),
        });
        stream.write_all(b"abcdef")?;
        stream.flush()?;
        Ok(stream.stream.taken)
    }

    #[test]
    fn a_reader_that_goes_away_is_no_failure() {
        assert_eq!(write_to(io::ErrorKind::BrokenPipe).unwrap(), b"ab");
    }

    #[test]
    fn a_full_disk_is_one() {
        assert!(write_to(io::ErrorKind::StorageFull).is_err());
    }

    #[test]
    fn errors_come_with_causes_and_each_hint_once_at_the_end() {
        let not_found = |name: &str| CliError::NoSuchClass {
            name: name.to_owned(),
            similar: vec!["a.B".to_owned()],
        };
        let errors = [
            not_found("x\u{1b}[1m"),
            not_found("y"),
            CliError::Write(io::Error::other("no space")),
        ];
        assert_eq!(
            report(&errors, &Palette::plain()),
            "error: found no class `x\\u001b[1m`\n\
             error: found no class `y`\n\
             error: cannot write to standard output\n  \
               cause: no space\n\
             \n\
             hint: did you mean `a.B`?\n"
        );
    }
}
