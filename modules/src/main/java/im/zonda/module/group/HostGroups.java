package im.zonda.module.group;

import im.zonda.account.provider.ProvidedGroup;
import im.zonda.group.GroupDefinition;
import im.zonda.group.GroupDirectory;
import im.zonda.group.ProvidedGroups;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Scheduler;
import im.zonda.store.AccountAddresses;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the groups of a host together, and again when one of their sources has changed. Safe for
/// use by several threads.
final class HostGroups {
  private static final Logger LOG = LoggerFactory.getLogger(HostGroups.class);

  /// The time between two looks at what providers have given.
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /// Every how many of these everything is read, for what no one has noticed.
  private static final int ALL = 5;

  /// The time that new accounts are collected.
  private static final Duration COLLECTING = Duration.ofSeconds(1);

  private static final int PAGE = 1_000;

  private final ModuleContext context;
  private final StoredGroups stored;
  private final ProvidedGroups provided;
  private final AccountAddresses addresses;
  private final BiConsumer<GroupDirectory, GroupDirectory> listener;
  private final AtomicBoolean collecting = new AtomicBoolean();
  private volatile GroupDirectory current = GroupDirectory.EMPTY;
  private volatile boolean loaded;

  // Guarded by this object's monitor.
  private List<ProvidedGroup> lastProvided = List.of();
  private SequencedMap<String, GroupDefinition> lastStored = new TreeMap<>();
  private int ticks;

  /// @param listener sees each change
  HostGroups(ModuleContext context, BiConsumer<GroupDirectory, GroupDirectory> listener) {
    this.context = context;
    this.listener = listener;
    stored = new StoredGroups(context.keyValues(StoredGroups.STORE), context.domain());
    provided = context.port(ProvidedGroups.class);
    addresses = context.port(AccountAddresses.class);
  }

  void start() {
    Scheduler.Cancellable _ = context.every(PERIOD, PERIOD, this::tick);
    context.onNotice(this::refresh);
  }

  StoredGroups stored() {
    return stored;
  }

  GroupDirectory current() {
    return current;
  }

  GroupDirectory load() {
    if (!loaded) {
      refresh();
    }
    return current;
  }

  /// A stored group has changed: it alone is read again. Other nodes notice the change, too.
  void changed(String id) {
    refresh(id);
    context.notifyNodes();
  }

  private void tick() {
    boolean due;
    synchronized (this) {
      ticks++;
      due = ticks % ALL == 0 || !lastProvided.equals(provided.groups(context.domain().domain()));
    }
    if (due) {
      refresh();
    }
  }

  /// An account is new. Several are collected.
  void missed(Jid account) {
    if (!collecting.compareAndSet(false, true)) {
      return;
    }
    Runnable next =
        () -> {
          boolean here =
              context.atHome(
                  account,
                  home -> {
                    collecting.set(false);
                    refresh();
                  });
          if (!here) {
            collecting.set(false);
          }
        };
    Scheduler.Cancellable _ = context.scheduler().schedule(COLLECTING, next);
  }

  /// Reads all sources again. May block.
  ///
  /// @throws StoreException if the store cannot be read; nothing has changed
  void refresh() {
    refresh(null);
  }

  /// @param id the stored group that has changed, or null for all sources
  private void refresh(@Nullable String id) {
    GroupDirectory before;
    GroupDirectory after;
    synchronized (this) {
      before = current;
      readStored(loaded ? id : null);
      after = read(before, lastStored);
      if (sameGroups(before, after)) {
        after = before;
      }
      current = after;
      loaded = true;
    }
    if (after != before) {
      LOG.atInfo()
          .addKeyValue("host", context.domain())
          .addKeyValue("groups", after.all().size())
          .log("shared_groups_changed");
      listener.accept(before, after);
    }
  }

  /// The groups as they would be with a changed one.
  ///
  /// @param changed what it becomes
  synchronized GroupDirectory preview(GroupDefinition changed) {
    SequencedMap<String, GroupDefinition> made = new TreeMap<>(lastStored);
    made.put(changed.id(), changed);
    return read(current, made);
  }

  private void readStored(@Nullable String id) {
    if (id == null) {
      SequencedMap<String, GroupDefinition> all = new TreeMap<>();
      stored.all().forEach(each -> all.put(each.id(), each));
      lastStored = all;
      return;
    }
    GroupDefinition changed = stored.find(id);
    if (changed == null) {
      lastStored.remove(id);
    } else {
      lastStored.put(id, changed);
    }
  }

  private GroupDirectory read(GroupDirectory before, SequencedMap<String, GroupDefinition> made) {
    String domain = context.domain().domain();
    List<GroupDefinition> all =
        new ArrayList<>(GroupSources.ofSettings(context.config().group(), domain));
    all.addAll(made.values());
    lastProvided = provided.groups(domain);
    all.addAll(GroupSources.ofProviders(lastProvided, domain));
    boolean everyone = all.stream().anyMatch(GroupDefinition::everyone);
    return GroupDirectory.of(all, everyone ? accounts(domain) : Set.of(), before);
  }

  private Set<Jid> accounts(String domain) {
    Set<Jid> all = new HashSet<>();
    List<Jid> page = addresses.list(domain, null, PAGE);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = page.size() < PAGE ? List.of() : addresses.list(domain, page.getLast(), PAGE);
    }
    return all;
  }

  private static boolean sameGroups(GroupDirectory before, GroupDirectory after) {
    return before.all().size() == after.all().size()
        && after.all().stream().allMatch(each -> before.find(each.id()) == each);
  }
}
