/// Ad-hoc commands (XEP-0050) for any address: commands, the sessions in which they run, and their
/// service discovery. Who owns the address answers requests by a [CommandTable].
@NullMarked
package im.zonda.module.commands;

import org.jspecify.annotations.NullMarked;
