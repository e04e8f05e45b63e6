//! No tool at all: every test runs. What it shows is the truth that tools are compared with.

use super::{Order, RunError, ToolRun, command_of};

/// Runs the chosen tests of a project.
pub(crate) fn retest_all(order: &Order<'_>) -> Result<ToolRun, RunError> {
    order.run(&mut command_of(&order.plain_command()))
}
