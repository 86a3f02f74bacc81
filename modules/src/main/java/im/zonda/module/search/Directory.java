package im.zonda.module.search;

import im.zonda.config.Services.Search;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.vcard.VcardModule;
import im.zonda.store.AccountAddresses;
import im.zonda.store.KeyValueStore;
import im.zonda.store.ValueKey;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The entries of the host's users, in a store of their own: the database searches them, so that
/// only what is found comes into memory. Calls block.
final class Directory {
  static final String STORE = "directory";

  private static final String KEY = "entry";
  private static final int PAGE = 100;

  /// The most entries that one search reads.
  private static final int MOST_READ = 1_000;

  private final ModuleContext context;
  private final KeyValueStore store;
  private final AccountAddresses accounts;
  private final VcardModule vcards;

  Directory(ModuleContext context, VcardModule vcards) {
    this.context = context;
    this.store = context.keyValues(STORE);
    this.accounts = context.port(AccountAddresses.class);
    this.vcards = vcards;
  }

  /// A user who was found.
  record Found(Jid jid, DirectoryEntry entry) {}

  /// Finds users whose fields contain the texts, in the order of their addresses.
  ///
  /// @param wanted folded texts by field, at least one
  /// @param after the user after which to start, or null
  List<Found> find(Map<Field, String> wanted, @Nullable Jid after, int limit) {
    Search.Users users = context.config().services().search().users();
    byte[] longest =
        wanted.values().stream()
            .max(Comparator.comparingInt(String::length))
            .orElseThrow()
            .getBytes(StandardCharsets.UTF_8);
    List<Found> found = new ArrayList<>();
    Jid last = after;
    for (int read = 0; read < MOST_READ && found.size() < limit; read += PAGE) {
      SequencedMap<Jid, byte[]> page =
          store.find(context.domain().domain(), KEY, longest, last, PAGE);
      for (Map.Entry<Jid, byte[]> each : page.entrySet()) {
        last = each.getKey();
        DirectoryEntry entry = DirectoryEntry.read(each.getValue());
        if (entry != null
            && found.size() < limit
            && (users == Search.Users.ALL || entry.isPublic())
            && entry.matches(wanted)) {
          found.add(new Found(last, entry));
        }
      }
      if (page.size() < PAGE) {
        break;
      }
    }
    return found;
  }

  /// A vCard has been changed; null if it was removed. Writes without a look at the entry before:
  /// what this node of a cluster knows of it may be older than the last [#rebuild] at another node.
  void update(Jid account, @Nullable Element vcard) {
    DirectoryEntry entry = DirectoryEntry.of(vcard);
    if (entry == null) {
      store.remove(account, KEY);
    } else {
      store.put(account, KEY, entry.stored());
    }
  }

  /// What is stored for a new account that has a vCard; null if that cannot be searched.
  static Map.@Nullable Entry<ValueKey, byte[]> storedWith(Jid account, Element vcard) {
    DirectoryEntry entry = DirectoryEntry.of(vcard);
    return entry == null ? null : Map.entry(new ValueKey(STORE, account, KEY), entry.stored());
  }

  private void correct(Jid account, @Nullable Element vcard) {
    DirectoryEntry entry = DirectoryEntry.of(vcard);
    byte[] wanted = entry == null ? null : entry.stored();
    if (!Arrays.equals(store.get(account, KEY), wanted)) {
      update(account, vcard);
    }
  }

  /// Compares all entries with the vCards, which may have been changed while the search was off. A
  /// vCard that is changed at the same moment may keep its older entry until the next run.
  void rebuild() {
    Jid last = null;
    List<Jid> page;
    do {
      page = accounts.list(context.domain().domain(), last, PAGE);
      for (Jid account : page) {
        last = account;
        correct(account, vcards.find(account));
      }
    } while (page.size() == PAGE);
  }
}
