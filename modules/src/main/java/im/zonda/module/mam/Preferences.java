package im.zonda.module.mam;

import im.zonda.jid.Jid;
import java.util.Set;
import java.util.function.Predicate;

/// Which messages of an account are archived (XEP-0441).
///
/// @param defaultPolicy the policy for addresses that are in no list
/// @param always addresses whose messages are archived
/// @param never addresses whose messages are not; takes precedence over `always`
record Preferences(DefaultPolicy defaultPolicy, Set<Jid> always, Set<Jid> never) {
  /// The preferences of an account that has set none.
  static final Preferences DEFAULT = new Preferences(DefaultPolicy.ALWAYS, Set.of(), Set.of());

  /// What holds for an address that is in no list.
  enum DefaultPolicy {
    ALWAYS,
    NEVER,
    /// Only for contacts.
    ROSTER
  }

  Preferences {
    always = Set.copyOf(always);
    never = Set.copyOf(never);
  }

  /// Whether all messages are archived.
  boolean everything() {
    return defaultPolicy == DefaultPolicy.ALWAYS && never.isEmpty();
  }

  /// Whether messages from and to `other` are archived.
  ///
  /// @param contact whether a bare address is in the roster
  boolean archives(Jid other, Predicate<Jid> contact) {
    Jid bare = other.bare();
    if (never.contains(bare) || never.contains(other)) {
      return false;
    }
    if (always.contains(bare) || always.contains(other)) {
      return true;
    }
    return switch (defaultPolicy) {
      case ALWAYS -> true;
      case NEVER -> false;
      case ROSTER -> contact.test(bare);
    };
  }
}
