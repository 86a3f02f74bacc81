/// Operations as ad-hoc commands (XEP-0050): each operation as a command whose form is made from
/// its definition (`OperationCommands`), and the commands of XEP-0133, a table of rows that say
/// which operations they run.
@NullMarked
package im.zonda.module.admin.command;

import org.jspecify.annotations.NullMarked;
