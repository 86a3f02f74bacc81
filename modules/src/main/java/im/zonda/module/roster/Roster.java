package im.zonda.module.roster;

import im.zonda.jid.Jid;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The roster of an account, in memory while its home is loaded. Changed by [Rosters] only.
public final class Roster {
  /// Shared while there are no items: on a large server many accounts have none.
  private Map<Jid, RosterItem> items = Map.of();

  private long version;
  private int listed;
  private int listedBytes;
  private int requestBytes;

  Roster(RosterStore.Roster stored) {
    version = stored.version();
    for (RosterItem item : stored.items()) {
      put(item, version);
    }
  }

  /// Grows with every change.
  public long version() {
    return version;
  }

  /// The item of a bare address, a contact or a pending request, or null.
  public @Nullable RosterItem find(Jid contact) {
    return items.get(contact);
  }

  /// All items, pending requests included. A view, invalid once items change.
  public Collection<RosterItem> items() {
    return Collections.unmodifiableCollection(items.values());
  }

  /// The number of contacts that clients see.
  public int listed() {
    return listed;
  }

  /// The number of pending requests of others than contacts.
  public int unlisted() {
    return items.size() - listed;
  }

  /// The approximate size of the contacts that clients see, without requests, in bytes.
  public int listedBytes() {
    return listedBytes;
  }

  /// The size of the pending requests, in bytes.
  public int requestBytes() {
    return requestBytes;
  }

  /// The approximate size of an item without its request, in bytes.
  public static int bytes(Jid contact, @Nullable String name, List<String> groups) {
    int bytes = contact.toString().length() + (name == null ? 0 : name.length());
    for (String group : groups) {
      bytes += group.length();
    }
    return bytes;
  }

  /// Whether the contact sees the account's presence.
  public boolean showsPresenceTo(Jid contact) {
    RosterItem item = items.get(contact);
    return item != null && item.subscription().from();
  }

  /// A hash of what clients see, independent of the order of the items.
  long digest() {
    long sum = 0;
    for (RosterItem item : items.values()) {
      if (item.listed()) {
        sum += digest(item);
      }
    }
    return sum;
  }

  private static long digest(RosterItem item) {
    long digest = item.jid().toString().hashCode();
    digest = mix(digest, item.name() == null ? 0 : item.name().hashCode());
    digest = mix(digest, item.subscription().value().hashCode());
    digest = mix(digest, (item.ask() ? 1 : 0) + (item.approved() ? 2 : 0));
    for (String group : item.groups()) {
      digest = mix(digest, group.hashCode());
    }
    return digest;
  }

  /// Multiplies by the golden ratio in 64 bits, which spreads similar values.
  private static long mix(long digest, int value) {
    long mixed = (digest ^ value) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  void put(RosterItem item, long newVersion) {
    if (items.isEmpty()) {
      items = new LinkedHashMap<>(4);
    }
    RosterItem before = items.put(item.jid(), item);
    listed += count(item) - count(before);
    listedBytes += listedBytes(item) - listedBytes(before);
    requestBytes += requestBytes(item) - requestBytes(before);
    version = newVersion;
  }

  void remove(Jid contact, long newVersion) {
    RosterItem before = items.remove(contact);
    listed -= count(before);
    listedBytes -= listedBytes(before);
    requestBytes -= requestBytes(before);
    version = newVersion;
    if (items.isEmpty()) {
      items = Map.of();
    }
  }

  private static int listedBytes(@Nullable RosterItem item) {
    return item != null && item.listed() ? bytes(item.jid(), item.name(), item.groups()) : 0;
  }

  private static int requestBytes(@Nullable RosterItem item) {
    return item == null || item.request() == null ? 0 : item.request().writtenSize();
  }

  private static int count(@Nullable RosterItem item) {
    return item != null && item.listed() ? 1 : 0;
  }
}
