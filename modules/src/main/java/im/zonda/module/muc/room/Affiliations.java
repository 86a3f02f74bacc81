package im.zonda.module.muc.room;

import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Room.AffiliationChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The affiliations of a room, by bare address or by domain (XEP-0045, section 5.2). A domain
/// stands for all its users without an entry of their own, and is a member or an outcast only.
/// Guests are not among its members: anyone can be a guest, without an account.
public final class Affiliations {
  /// An affiliation with its details.
  ///
  /// @param affiliation never [Affiliation#NONE]
  /// @param nick the reserved nickname, or null
  /// @param reason as given by the admin, or null
  public record Entry(Affiliation affiliation, @Nullable String nick, @Nullable String reason) {}

  private final Map<Jid, Entry> entries = new HashMap<>();
  private final Map<String, Jid> nicks = new HashMap<>();
  private int owners;
  private long cost;

  /// Returns the affiliation of a user.
  public Affiliation of(Jid user) {
    Entry entry = entries.get(user);
    if (entry != null || user.local() == null) {
      return entry == null ? Affiliation.NONE : entry.affiliation();
    }
    Entry whole = entries.get(user.domainJid());
    if (whole == null) {
      return Affiliation.NONE;
    }
    boolean isTrust = whole.affiliation().isAtLeast(Affiliation.MEMBER);
    return isTrust && GuestAddress.isGuest(user) ? Affiliation.NONE : whole.affiliation();
  }

  /// Returns the user's own entry, or null.
  public @Nullable Entry entry(Jid user) {
    return entries.get(user);
  }

  /// Returns the user who has reserved an equivalent nickname, or null.
  public @Nullable Jid holderOf(String nick) {
    return nicks.get(Nickname.key(nick));
  }

  /// Returns the nickname that a user has reserved, or null.
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

  /// Whether the number of entries stays within a limit, or does not grow.
  public boolean fits(List<AffiliationChange> changes, int most) {
    int added = 0;
    for (AffiliationChange change : changes) {
      boolean before = entries.containsKey(change.user());
      boolean after = change.affiliation() != Affiliation.NONE;
      added += (after ? 1 : 0) - (before ? 1 : 0);
    }
    return added <= 0 || entries.size() + added <= most;
  }

  /// Estimates the memory of the entries after these changes, in bytes.
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

  /// Sets an affiliation; [Affiliation#NONE] removes the entry.
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

  /// Returns the users with that affiliation, ordered by address.
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

  /// Returns all entries. Not to be changed by the caller.
  public Map<Jid, Entry> all() {
    return entries;
  }
}
