package im.zonda.module.commands;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The action that a requester asks of a command (XEP-0050, section 4.1).
enum CommandAction {
  EXECUTE,
  PREV,
  NEXT,
  COMPLETE,
  CANCEL;

  /// The word in the attribute `action`.
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The action of that word, [#EXECUTE] if there is none; null if it is unknown.
  static @Nullable CommandAction of(@Nullable String word) {
    if (word == null) {
      return EXECUTE;
    }
    for (CommandAction action : values()) {
      if (action.word().equals(word)) {
        return action;
      }
    }
    return null;
  }
}
