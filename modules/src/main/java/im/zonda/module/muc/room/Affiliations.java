package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Room.AffiliationChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Who is what to a room, by bare address or by domain (XEP-0045, section 5.2). A domain stands for
/// all its users that have no entry of their own, and can be a member or an outcast only.
public final class Affiliations {
  /// What is known of one user.
  ///
  /// @param affiliation never [Affiliation#NONE]
  /// @param nick the nickname that nobody else may use, or null
  /// @param reason why, in words of who gave it, or null
  public record Entry(Affiliation affiliation, @Nullable String nick, @Nullable String reason) {}

  private final Map<Jid, Entry> entries = new HashMap<>();
  private final Map<String, Jid> nicks = new HashMap<>();
  private int owners;
  private long cost;

  /// What that user is to the room.
  public Affiliation of(Jid user) {
    Entry entry = entries.get(user);
    if (entry == null && user.local() != null) {
      entry = entries.get(user.domainJid());
    }
    return entry == null ? Affiliation.NONE : entry.affiliation();
  }

  /// The user's own entry, or null.
  public @Nullable Entry entry(Jid user) {
    return entries.get(user);
  }

  /// Who has reserved a nickname that is the same to people, or null.
  public @Nullable Jid holderOf(String nick) {
    return nicks.get(Nickname.key(nick));
  }

  /// The nickname that a user has reserved, or null.
  public @Nullable String nickOf(Jid user) {
    Entry entry = entries.get(user);
    return entry == null ? null : entry.nick();
  }

  /// The number of owners.
  int owners() {
    return owners;
  }

  /// The number of entries.
  public int size() {
    return entries.size();
  }

  /// Whether there would be at most that many entries; one who goes makes room for another.
  public boolean fits(List<AffiliationChange> changes, int most) {
    int added = 0;
    for (AffiliationChange change : changes) {
      boolean before = entries.containsKey(change.user());
      boolean after = change.affiliation() != Affiliation.NONE;
      added += (after ? 1 : 0) - (before ? 1 : 0);
    }
    return added <= 0 || entries.size() + added <= most;
  }

  /// About how many bytes the entries would take after these changes.
  public long cost(List<AffiliationChange> changes) {
    long after = cost;
    for (AffiliationChange change : changes) {
      Entry before = entries.get(change.user());
      after -= before == null ? 0 : cost(change.user(), before);
      if (change.affiliation() != Affiliation.NONE) {
        Entry made = new Entry(change.affiliation(), change.nick(), change.reason());
        after += cost(change.user(), made);
      }
    }
    return after;
  }

  private static long cost(Jid user, Entry entry) {
    return MemoryCost.AFFILIATION
        + MemoryCost.ofText(user.toString())
        + 2 * MemoryCost.ofText(entry.nick())
        + MemoryCost.ofText(entry.reason());
  }

  /// Changes an entry; [Affiliation#NONE] removes it.
  public void set(
      Jid user, Affiliation affiliation, @Nullable String nick, @Nullable String reason) {
    Entry before =
        affiliation == Affiliation.NONE
            ? entries.remove(user)
            : entries.put(user, new Entry(affiliation, nick, reason));
    Entry after = entries.get(user);
    cost += after == null ? 0 : cost(user, after);
    if (before != null) {
      cost -= cost(user, before);
      owners -= before.affiliation() == Affiliation.OWNER ? 1 : 0;
      if (before.nick() != null) {
        nicks.remove(Nickname.key(before.nick()), user);
      }
    }
    owners += affiliation == Affiliation.OWNER ? 1 : 0;
    if (affiliation != Affiliation.NONE && nick != null) {
      nicks.put(Nickname.key(nick), user);
    }
  }

  /// The users with that affiliation, ordered by address.
  public List<Jid> with(Affiliation affiliation) {
    List<Jid> users = new ArrayList<>();
    entries.forEach((user, entry) -> {
      if (entry.affiliation() == affiliation) {
        users.add(user);
      }
    });
    users.sort(null);
    return users;
  }

  /// All entries, for reading.
  public Map<Jid, Entry> all() {
    return entries;
  }
}
