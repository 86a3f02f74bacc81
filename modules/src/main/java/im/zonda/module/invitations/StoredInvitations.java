package im.zonda.module.invitations;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IdSource;
import im.zonda.module.invitations.Invitation.Terms;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import im.zonda.store.ValueKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The invitations of a host, in the store: those of an account under the account, the others under
/// the host, each by the hash of its token. Under the host are also the usernames that invitations
/// have reserved. Calls block.
///
/// @param store the store [#STORE]
/// @param host the host
/// @param clock the time
/// @param ids source of tokens
record StoredInvitations(KeyValueStore store, Jid host, InstantSource clock, IdSource ids) {
  private static final Logger LOG = LoggerFactory.getLogger(StoredInvitations.class);

  /// The name of the store.
  static final String STORE = "invitations";

  /// The most invitations of the host itself, and the most usernames that are reserved.
  static final int MOST_OF_HOST = 1_000;

  private static final String ISSUED = "issued/";
  private static final String RESERVED = "reserved/";

  /// What became of a request to issue an invitation.
  sealed interface Outcome {
    /// It was issued.
    record Issued(InvitationToken token, Invitation invitation) implements Outcome {}

    /// The account, or the host, has too many.
    record TooMany() implements Outcome {}

    /// The username is reserved by another invitation.
    record NameReserved() implements Outcome {}
  }

  /// Issues an invitation.
  ///
  /// @param owner the account that makes it, or the host
  /// @param most the most invitations that it may have
  Outcome issue(Jid owner, Terms terms, Duration time, int most) {
    Instant now = clock.instant();
    String username = terms.username();
    if (removeExpired(owner, ISSUED, now) >= most
        || (username != null && removeExpired(host, RESERVED, now) >= MOST_OF_HOST)) {
      return new Outcome.TooMany();
    }
    if (username != null && isReserved(username, null)) {
      return new Outcome.NameReserved();
    }
    InvitationToken token = InvitationToken.of(ids.next(), owner);
    Invitation invitation = new Invitation(key(token), terms, now.plus(time));
    store.put(owner, invitation.key().key(), invitation.stored());
    if (username != null) {
      String value = invitation.expiry().toEpochMilli() + " " + owner + " " + token.hash();
      store.put(host, reservation(username), value.getBytes(StandardCharsets.UTF_8));
    }
    return new Outcome.Issued(token, invitation);
  }

  /// The invitation of a token; null if there is none, or it has expired.
  @Nullable Invitation find(@Nullable String text) {
    InvitationToken token = InvitationToken.read(text, host);
    if (token == null) {
      return null;
    }
    ValueKey key = key(token);
    byte[] stored = store.get(key.owner(), key.key());
    Invitation found = stored == null ? null : read(key, stored);
    return found != null && found.expiry().isAfter(clock.instant()) ? found : null;
  }

  /// The invitations of an owner that are valid, the first to expire first. Those that cannot be
  /// read are left out.
  ///
  /// @param owner an account, or the host
  List<Invitation> of(Jid owner) {
    return read(owner, store.all(owner));
  }

  /// The same for several owners, in one query; those without invitations are missing.
  Map<Jid, List<Invitation>> of(Collection<Jid> owners) {
    Map<Jid, List<Invitation>> found = new HashMap<>();
    store
        .all(host.domain(), owners)
        .forEach((owner, values) -> found.put(owner, read(owner, values)));
    return found;
  }

  private List<Invitation> read(Jid owner, Map<String, byte[]> values) {
    List<Invitation> found = new ArrayList<>();
    for (Map.Entry<String, byte[]> each : values.entrySet()) {
      if (each.getKey().startsWith(ISSUED)
          && expiry(each.getValue()) > clock.instant().toEpochMilli()) {
        try {
          found.add(Invitation.of(new ValueKey(STORE, owner, each.getKey()), each.getValue()));
        } catch (IllegalArgumentException e) {
          LOG.atWarn().addKeyValue("owner", owner).setCause(e).log("invitation_unreadable");
        }
      }
    }
    found.sort(Comparator.comparing(Invitation::expiry).thenComparing(Invitation::id));
    return found;
  }

  /// Uses an invitation; false if that has been done before, here or at another node.
  boolean use(Invitation invitation) {
    boolean used = store.remove(invitation.owner(), invitation.key().key());
    if (used) {
      forgetName(invitation);
    }
    return used;
  }

  /// Forgets the username of an invitation that was used.
  void forgetName(Invitation invitation) {
    String username = invitation.username();
    if (username != null && !isReserved(username, invitation)) {
      store.remove(host, reservation(username));
    }
  }

  /// Whether an invitation that is valid has reserved a username.
  ///
  /// @param own one that does not count, or null
  boolean isReserved(String username, @Nullable Invitation own) {
    byte[] stored = store.get(host, reservation(username));
    if (stored == null) {
      return false;
    }
    String[] words = new String(stored, StandardCharsets.UTF_8).split(" ", -1);
    Jid owner = words.length == 3 ? owner(words[1]) : null;
    if (owner == null) {
      return false;
    }
    String key = ISSUED + words[2];
    boolean isOwn = own != null && own.owner().equals(owner) && own.key().key().equals(key);
    return !isOwn
        && expiry(stored) > clock.instant().toEpochMilli()
        && store.get(owner, key) != null;
  }

  /// Those of several accounts of the host whose usernames are reserved. Reads once if none is.
  List<Jid> reservedOf(List<Jid> accounts) {
    Set<String> keys = store.all(host).keySet();
    return accounts.stream()
        .filter(account -> {
          String username = account.local();
          return username != null
              && keys.contains(reservation(username))
              && isReserved(username, null);
        })
        .toList();
  }

  /// Removes the values of an owner that have expired; returns the number of the others.
  private int removeExpired(Jid owner, String prefix, Instant now) {
    int left = 0;
    for (Map.Entry<String, byte[]> each : store.all(owner).entrySet()) {
      if (!each.getKey().startsWith(prefix)) {
        continue;
      }
      if (expiry(each.getValue()) <= now.toEpochMilli()) {
        store.remove(owner, each.getKey());
      } else {
        left++;
      }
    }
    return left;
  }

  /// An owner; null if the address is damaged.
  private static @Nullable Jid owner(String text) {
    try {
      return Jid.stored(text);
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// When a value expires, in milliseconds; one that cannot be read has.
  private static long expiry(byte[] stored) {
    String value = new String(stored, StandardCharsets.UTF_8);
    try {
      return Long.parseLong(value.substring(0, Math.max(0, value.indexOf(' '))));
    } catch (NumberFormatException e) {
      return Long.MIN_VALUE;
    }
  }

  private static Invitation read(ValueKey key, byte[] stored) {
    try {
      return Invitation.of(key, stored);
    } catch (IllegalArgumentException e) {
      throw new StoreException(StoreException.Category.DAMAGED, "an invitation cannot be read", e);
    }
  }

  private static ValueKey key(InvitationToken token) {
    return new ValueKey(STORE, token.owner(), ISSUED + token.hash());
  }

  /// A local part may be too long for a key.
  private static String reservation(String username) {
    return RESERVED + InvitationToken.hash(username);
  }
}
