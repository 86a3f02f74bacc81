package im.zonda.hook;

import im.zonda.journal.Reason;
import org.jspecify.annotations.Nullable;

/// Decision of the filters of a module on a message that is not sent.
///
/// @param module the name of the module
/// @param asked whether they were asked: only those that have no effects can be
/// @param reason why the module would stop the message; null if it would not
public record Judgement(String module, boolean asked, @Nullable Reason reason) {}
