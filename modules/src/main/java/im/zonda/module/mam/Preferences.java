package im.zonda.module.mam;

import im.zonda.jid.Jid;
import java.util.Set;
import java.util.function.Predicate;

/// Which of its messages an account's owner wants to have in the archive (XEP-0441).
///
/// @param usual what holds for addresses that are in no list
/// @param always those whose messages are archived
/// @param never those whose messages are not; it holds for an address that is in both
record Preferences(Usual usual, Set<Jid> always, Set<Jid> never) {
  /// What an account has that never said anything.
  static final Preferences DEFAULT = new Preferences(Usual.ALWAYS, Set.of(), Set.of());

  /// What holds for an address that is in no list.
  enum Usual {
    ALWAYS,
    NEVER,
    /// Only for contacts.
    ROSTER
  }

  Preferences {
    always = Set.copyOf(always);
    never = Set.copyOf(never);
  }

  /// Whether everything is archived, so that nobody need look further.
  boolean everything() {
    return usual == Usual.ALWAYS && never.isEmpty();
  }

  /// Whether messages from and to `other` are archived.
  ///
  /// @param contact says whether a bare address is in the roster
  boolean archives(Jid other, Predicate<Jid> contact) {
    Jid bare = other.bare();
    if (never.contains(bare) || never.contains(other)) {
      return false;
    }
    if (always.contains(bare) || always.contains(other)) {
      return true;
    }
    return switch (usual) {
      case ALWAYS -> true;
      case NEVER -> false;
      case ROSTER -> contact.test(bare);
    };
  }
}
