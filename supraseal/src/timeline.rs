//! What a proof spent its time on.

use std::fmt;
use std::time::Duration;
use supraseal_sys::PhaseKind;

/// One step of one proof. Times count from the start of the call that proved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phase {
    /// The step.
    pub kind: PhaseKind,
    /// The circuit's index in the batch.
    pub circuit: usize,
    /// When it began.
    pub start: Duration,
    /// When it ended.
    pub end: Duration,
    /// Bytes of the step's inputs and outputs.
    pub bytes: u64,
    /// Threads that could work on it.
    pub threads: u32,
}

impl Phase {
    /// How long it took.
    pub fn duration(&self) -> Duration {
        self.end.saturating_sub(self.start)
    }
}

/// The steps of a call, in the order in which they ended. Displays as a table.
///
/// The same records are emitted as `tracing` events, at debug level, in a span `prove`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    phases: Vec<Phase>,
}

impl Timeline {
    /// The steps.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// From the start of the call to the end of the last step.
    pub fn total(&self) -> Duration {
        self.phases.iter().map(|phase| phase.end).max().unwrap_or_default()
    }

    /// Adds what a native call for `circuit` reports that began `offset` after this one.
    pub(crate) fn record(
        &mut self,
        native: &[supraseal_sys::Phase],
        offset: Duration,
        circuit: usize,
    ) {
        self.phases.extend(native.iter().map(|phase| Phase {
            kind: phase.kind,
            circuit,
            start: offset + Duration::from_nanos(phase.start_ns),
            end: offset + Duration::from_nanos(phase.end_ns),
            bytes: phase.bytes,
            threads: phase.threads,
        }));
    }

    /// The steps in Chrome's trace format, a JSON document that Perfetto and `chrome://tracing` open:
    /// one row a circuit, times in microseconds.
    pub fn to_chrome_trace(&self) -> String {
        let events: Vec<String> = self
            .phases
            .iter()
            .map(|phase| {
                // Names are this library's own and need no escapes.
                format!(
                    r#"{{"name":"{}","ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"args":{{"bytes":{},"threads":{}}}}}"#,
                    phase.kind.name(),
                    phase.circuit,
                    phase.start.as_micros(),
                    phase.duration().as_micros(),
                    phase.bytes,
                    phase.threads,
                )
            })
            .collect();
        format!(r#"{{"displayTimeUnit":"ms","traceEvents":[{}]}}"#, events.join(","))
    }

    pub(crate) fn append(&mut self, other: Timeline) {
        self.phases.extend(other.phases);
    }

    pub(crate) fn emit(&self) {
        for phase in &self.phases {
            tracing::debug!(
                phase = phase.kind.name(),
                circuit = phase.circuit,
                start_us = phase.start.as_micros() as u64,
                end_us = phase.end.as_micros() as u64,
                bytes = phase.bytes,
                threads = phase.threads,
            );
        }
    }
}

impl fmt::Display for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NS_PER_MS: f64 = 1e6;
        const BYTES_PER_MB: f64 = 1e6;
        #[allow(clippy::cast_precision_loss)] // three decimals are shown
        let ms = |duration: Duration| duration.as_nanos() as f64 / NS_PER_MS;
        writeln!(
            f,
            "{:<10} {:>7} {:>11} {:>11} {:>10} {:>7}",
            "phase", "circuit", "start ms", "time ms", "MB", "threads"
        )?;
        for phase in &self.phases {
            #[allow(clippy::cast_precision_loss)]
            let megabytes = phase.bytes as f64 / BYTES_PER_MB;
            writeln!(
                f,
                "{:<10} {:>7} {:>11.3} {:>11.3} {:>10.2} {:>7}",
                phase.kind.name(),
                phase.circuit,
                ms(phase.start),
                ms(phase.duration()),
                megabytes,
                phase.threads
            )?;
        }
        write!(f, "{:<10} {:>7} {:>11} {:>11.3}", "total", "", "", ms(self.total()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_calls_are_shifted() {
        let native = supraseal_sys::Phase {
            kind: PhaseKind::MsmH,
            start_ns: 10,
            end_ns: 30,
            bytes: 96,
            threads: 2,
        };
        let mut timeline = Timeline::default();
        assert_eq!(timeline.total(), Duration::ZERO);
        timeline.record(&[native], Duration::ZERO, 0);
        timeline.record(&[native], Duration::from_nanos(100), 4);
        let [first, second] = timeline.phases() else { panic!("two phases") };
        assert_eq!((first.circuit, second.circuit), (0, 4));
        assert_eq!(second.duration(), first.duration());
        assert_eq!(timeline.total(), Duration::from_nanos(130));
        assert_eq!(timeline.to_string().lines().count(), 4);
        let trace: serde_json::Value =
            serde_json::from_str(&timeline.to_chrome_trace()).expect("JSON");
        let events = trace["traceEvents"].as_array().expect("events");
        assert_eq!(events.len(), 2);
        assert_eq!((&events[1]["name"], &events[1]["tid"]), (&"MSM h".into(), &4.into()));
    }
}
