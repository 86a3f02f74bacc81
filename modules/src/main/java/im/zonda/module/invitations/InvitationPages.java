package im.zonda.module.invitations;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.store.AccountAddresses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Lists invitations in pages: those of one inviter by their identifiers; those of all with the
/// host's first, then those of its accounts in the order of their addresses. Calls block.
///
/// @param invitations the invitations of the host
/// @param accounts the accounts of the host
record InvitationPages(HostInvitations invitations, AccountAddresses accounts) {
  /// The most accounts that are looked through for one page.
  private static final int MOST_READ = 1_000;

  /// How many of them are looked through first.
  private static final int FIRST_READ = 100;

  /// A page.
  ///
  /// @param next where to go on; null if this is the last
  record Page(List<Invitation> invitations, @Nullable String next) {}

  /// Where a list of all goes on.
  ///
  /// @param account the account that comes next, or after which to start; null for the host itself
  /// @param id the identifier after which to start; empty for the first, null for the next account
  private record Place(@Nullable Jid account, @Nullable String id) {}

  private Place place(@Nullable String text) {
    if (text == null || text.indexOf('@') < 0) {
      return new Place(null, text == null ? "" : text);
    }
    String[] words = text.split(" ", 2);
    try {
      Jid account = Jid.of(words[0]);
      if (account.domainJid().equals(invitations.parts().host())) {
        return new Place(account, words.length == 2 ? words[1] : null);
      }
    } catch (JidFormatException e) {
      throw new IllegalArgumentException("after is not the value of next of a page", e);
    }
    throw new IllegalArgumentException("after is not the value of next of a page");
  }

  /// A page of the invitations of one inviter.
  ///
  /// @param owner the inviter, or the host
  /// @param after the identifier after which to start, or null
  Page of(Jid owner, @Nullable String after, int limit) {
    List<Invitation> found = after(invitations.of(owner), after == null ? "" : after);
    return found.size() < limit
        ? new Page(found, null)
        : new Page(found.subList(0, limit), found.get(limit - 1).id());
  }

  /// A page of the invitations of all.
  ///
  /// @param after the end of the page before, or null
  /// @throws IllegalArgumentException if it is none
  Page ofAll(@Nullable String after, int limit) {
    Place place = place(after);
    List<Invitation> page = new ArrayList<>();
    Jid last = place.account;
    List<Jid> read = accounts.list(invitations.parts().host().domain(), last, MOST_READ);
    List<Jid> owners = new ArrayList<>();
    if (place.id != null) {
      owners.add(last == null ? invitations.parts().host() : last);
    }
    owners.addAll(read);
    // Most pages are filled by a few.
    int first = Math.min(FIRST_READ, owners.size());
    addAll(page, owners.subList(0, first), place.id);
    if (page.size() < limit) {
      addAll(page, owners.subList(first, owners.size()), null);
    }
    last = read.isEmpty() ? last : read.getLast();
    if (page.size() >= limit) {
      Invitation end = page.get(limit - 1);
      String id = end.id();
      return new Page(
          page.subList(0, limit), end.owner().local() == null ? id : end.owner() + " " + id);
    }
    return new Page(page, read.size() < MOST_READ || last == null ? null : last.toString());
  }

  /// Adds those of some owners, in one query.
  ///
  /// @param id the identifier after which those of the first one start; null for all
  private void addAll(List<Invitation> page, List<Jid> owners, @Nullable String id) {
    Map<Jid, List<Invitation>> found = invitations.of(owners);
    for (int i = 0; i < owners.size(); i++) {
      String after = i > 0 || id == null ? "" : id;
      page.addAll(after(found.getOrDefault(owners.get(i), List.of()), after));
    }
  }

  private static List<Invitation> after(List<Invitation> all, String id) {
    return all.stream()
        .filter(each -> each.id().compareTo(id) > 0)
        .sorted(Comparator.comparing(Invitation::id))
        .toList();
  }
}
