//! No tool at all: every test runs. What it shows is the truth that tools are compared with.

use super::{Order, RunError, Tool, ToolRun, command_of};
use crate::history::Variant;

pub(crate) struct RetestAll;

impl Tool for RetestAll {
    fn name(&self) -> &'static str {
        "retest-all"
    }

    fn variants(&self) -> Vec<Variant> {
        vec![Variant {
            name: self.name().to_owned(),
            tool: self.name().to_owned(),
            fineness: 0,
        }]
    }

    fn can_be_forced(&self) -> bool {
        true
    }

    fn run(&self, order: &Order<'_>) -> Result<ToolRun, RunError> {
        order.run(&mut command_of(&order.plain_command()))
    }
}
