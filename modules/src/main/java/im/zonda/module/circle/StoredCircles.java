package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IdSource;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The circles of a host, in the store. Calls block.
///
/// Under the host are the circles, a note of each change that has not been carried out, and each
/// former name by which the groups of contact lists may still be called. Under an account is for
/// each circle whether the account is to be a member, which commands write, and how far that is
/// done, which only [CircleWork] writes. So commands at several nodes of a cluster never write the
/// same value, and nothing remains of an account that is removed.
///
/// @param store the store [#STORE]
/// @param host the host
/// @param accounts whether an account exists
/// @param rooms whether there is a room, by the local part of its address
/// @param clock the time
/// @param ids source of keys
record StoredCircles(
    KeyValueStore store,
    Jid host,
    Predicate<Jid> accounts,
    Predicate<String> rooms,
    InstantSource clock,
    IdSource ids) {
  /// The name of the store.
  static final String STORE = "circles";

  /// The most circles of a host.
  static final int MOST_CIRCLES = 1_000;

  /// The most members of a circle.
  static final int MOST_MEMBERS = 200;

  private static final Logger LOG = LoggerFactory.getLogger(StoredCircles.class);
  private static final String CIRCLE = "circle/";
  private static final String CHANGE = "change/";
  private static final String FORMER = "former/";
  private static final String MEMBER = "member/";
  private static final String PROGRESS = "progress/";
  private static final byte[] YES = bytes("member");
  private static final String OPEN = "open";
  private static final String COMPLETE = "complete";
  private static final int PAGE = 250;

  /// The most former names of a circle that have not been carried out.
  private static final int MOST_FORMER = 10;

  /// A command that has not completed its note in this time has been interrupted.
  private static final Duration COMMAND_TIME = Duration.ofMinutes(1);

  /// How far a membership is carried out.
  enum Progress {
    /// Some of it may be done.
    BEGUN,
    /// All of it is done.
    DONE
  }

  // ---- circles

  /// The circles that are not being removed, by their names.
  List<Circle> all() {
    return read(store.all(host)).values().stream()
        .filter(circle -> !circle.removed())
        .sorted(Comparator.comparing(Circle::local))
        .toList();
  }

  private static Map<String, Circle> read(Map<String, byte[]> values) {
    Map<String, Circle> circles = new TreeMap<>();
    values.forEach((key, value) -> {
      if (key.startsWith(CIRCLE)) {
        try {
          circles.put(key.substring(CIRCLE.length()), Circle.read(value));
        } catch (IllegalArgumentException e) {
          LOG.atError().addKeyValue("key", key).setCause(e).log("circle_unreadable");
        }
      }
    });
    return circles;
  }

  /// The circle with that name.
  ///
  /// @throws IllegalArgumentException if there is none
  Circle get(String name) {
    Circle found = find(name);
    if (found == null || found.removed()) {
      throw new IllegalArgumentException("no such circle: " + name.strip());
    }
    return found;
  }

  private @Nullable Circle find(String name) {
    Circle.localOf(name); // which refuses what is no name
    return read(store.all(host)).values().stream()
        .filter(each -> each.isNamed(name))
        .findFirst()
        .orElse(null);
  }

  /// Creates a circle.
  ///
  /// @throws IllegalArgumentException if that cannot be; nothing has changed
  Circle create(String name, List<Jid> members) {
    Circle circle = Circle.of(name, clock.instant());
    Circle before = find(name);
    if (before != null) {
      throw new IllegalArgumentException(
          before.removed()
              ? "the circle " + before.name() + " is being removed; try again in a minute"
              : "there is a circle " + before.name() + " already");
    }
    if (rooms.test(circle.local())) {
      throw new IllegalArgumentException(
          "there is a room " + circle.local() + " already; choose another name");
    }
    if (read(store.all(host)).size() >= MOST_CIRCLES) {
      throw new IllegalArgumentException("a host has at most " + MOST_CIRCLES + " circles");
    }
    check(members, 0);
    change(
        circle,
        () -> {
          store.put(host, CIRCLE + circle.key(), circle.stored());
          putMembers(circle, members);
        });
    return circle;
  }

  /// Gives a circle another name. Its room keeps its address, by which the circle is found, too.
  ///
  /// @throws IllegalArgumentException if that cannot be; nothing has changed
  Circle rename(String name, String other) {
    Circle circle = get(name);
    Circle renamed = circle.renamed(other);
    Circle same = find(other);
    if (same != null && !same.local().equals(circle.local())) {
      throw new IllegalArgumentException("there is a circle " + same.name() + " already");
    }
    if (renamed.name().equals(circle.name())) {
      return circle;
    }
    Map<String, String> former = former(store.all(host), circle.key());
    if (former.size() >= MOST_FORMER) {
      throw new IllegalArgumentException(
          "the circle " + circle.name() + " is being renamed; try again in a minute");
    }
    change(
        circle,
        () -> {
          former.forEach((key, before) -> {
            if (before.equals(renamed.name())) {
              drop(Set.of(key));
            }
          });
          // First, so that a command that is interrupted here leaves nothing that is not renamed.
          store.put(host, FORMER + circle.key() + "/" + ids.next(), bytes(circle.name()));
          store.put(host, CIRCLE + circle.key(), renamed.stored());
        });
    return renamed;
  }

  /// The former names of a circle by their keys.
  private static Map<String, String> former(Map<String, byte[]> values, String circle) {
    Map<String, String> names = new TreeMap<>();
    values.forEach((key, value) -> {
      if (key.startsWith(FORMER + circle + "/")) {
        names.put(key, new String(value, StandardCharsets.UTF_8));
      }
    });
    return names;
  }

  /// Has a circle removed.
  ///
  /// @throws IllegalArgumentException if there is none
  void remove(String name) {
    Circle circle = get(name);
    change(circle, () -> store.put(host, CIRCLE + circle.key(), circle.asRemoved().stored()));
  }

  // ---- members

  /// The accounts that are to be members of a circle.
  Set<Jid> members(Circle circle) {
    Set<Jid> members = new TreeSet<>(pages(MEMBER + circle.key(), YES).keySet());
    return members;
  }

  /// Adds members to a circle; those that are members already stay so.
  ///
  /// @return those that were not members
  /// @throws IllegalArgumentException if that cannot be; nothing has changed
  List<Jid> add(String name, List<Jid> accountsToAdd) {
    Circle circle = get(name);
    Set<Jid> present = members(circle);
    List<Jid> added =
        List.copyOf(new LinkedHashSet<>(accountsToAdd)).stream()
            .filter(each -> !present.contains(each))
            .toList();
    check(added, present.size());
    if (!added.isEmpty()) {
      change(circle, () -> putMembers(circle, added));
    }
    return added;
  }

  /// Removes members of a circle.
  ///
  /// @throws IllegalArgumentException if one is not a member; nothing has changed
  void removeMembers(String name, List<Jid> accountsToRemove) {
    Circle circle = get(name);
    Set<Jid> present = members(circle);
    for (Jid each : accountsToRemove) {
      if (!present.contains(each)) {
        throw new IllegalArgumentException(each + " is not a member of " + circle.name());
      }
    }
    change(
        circle,
        () ->
            accountsToRemove.forEach(each -> {
              boolean _ = store.remove(each, MEMBER + circle.key());
            }));
  }

  /// The address of an account that does not exist.
  ///
  /// @throws IllegalArgumentException if it does, or the username is not valid
  Jid newAccount(String username) {
    Jid account;
    try {
      account = Jid.of(username, host.domain(), null);
    } catch (JidFormatException e) {
      throw new IllegalArgumentException(username + " is not a valid username", e);
    }
    if (accounts.test(account)) {
      throw new IllegalArgumentException(account + " exists already");
    }
    return account;
  }

  private void check(List<Jid> added, int present) {
    if (present + new HashSet<>(added).size() > MOST_MEMBERS) {
      throw new IllegalArgumentException("a circle has at most " + MOST_MEMBERS + " members");
    }
    for (Jid each : added) {
      if (each.local() == null || !each.isBare() || !each.domainJid().equals(host)) {
        throw new IllegalArgumentException(each + " is not an account of " + host);
      }
      if (!accounts.test(each)) {
        throw new IllegalArgumentException("no such account: " + each);
      }
    }
  }

  private void putMembers(Circle circle, List<Jid> members) {
    for (Jid each : members) {
      try {
        store.put(each, MEMBER + circle.key(), YES);
      } catch (IllegalStateException e) {
        ignoreIfRemoved(each, e);
      }
    }
  }

  private SequencedMap<Jid, byte[]> pages(String key, byte[] text) {
    SequencedMap<Jid, byte[]> all = store.find(host.domain(), key, text, null, PAGE);
    SequencedMap<Jid, byte[]> page = all;
    while (page.size() == PAGE) {
      page = store.find(host.domain(), key, text, page.lastEntry().getKey(), PAGE);
      all.putAll(page);
    }
    return all;
  }

  // ---- changes that are to be carried out

  /// Notes that a circle changes before anything is written, and that it has changed afterwards: a
  /// note that is complete is dropped when what was there after it is carried out.
  private void change(Circle circle, Runnable writes) {
    String key = CHANGE + circle.key() + "/" + ids.next();
    String now = " " + clock.millis();
    store.put(host, key, bytes(OPEN + now));
    writes.run();
    store.put(host, key, bytes(COMPLETE + now));
  }

  /// A circle that has changed.
  ///
  /// @param former the names by which groups may still be called
  /// @param notes the keys to drop when everything is carried out
  record Changed(Circle circle, Set<String> former, Set<String> notes) {
    /// Copies the sets.
    Changed {
      former = Set.copyOf(former);
      notes = Set.copyOf(notes);
    }
  }

  /// The circles with changes that are to be carried out, in the order of their keys. Drops notes
  /// of circles that do not exist.
  List<Changed> changed() {
    Map<String, byte[]> values = store.all(host);
    Map<String, Circle> circles = read(values);
    Map<String, Set<String>> notes = new TreeMap<>();
    values.forEach((key, value) -> {
      if (key.startsWith(CHANGE) && isComplete(value)) {
        String circle = key.substring(CHANGE.length(), key.lastIndexOf('/'));
        notes.computeIfAbsent(circle, missing -> new TreeSet<>()).add(key);
      }
    });
    List<Changed> changed = new ArrayList<>();
    notes.forEach((key, keys) -> {
      Circle circle = circles.get(key);
      Map<String, String> former = former(values, key);
      if (circle == null) {
        drop(keys);
        drop(former.keySet());
      } else {
        // A command that gives it another name may have written only this much.
        former.values().removeIf(name -> !circle.removed() && name.equals(circle.name()));
        keys.addAll(former.keySet());
        changed.add(new Changed(circle, Set.copyOf(former.values()), keys));
      }
    });
    return changed;
  }

  private boolean isComplete(byte[] note) {
    String[] words = new String(note, StandardCharsets.UTF_8).split(" ", -1);
    try {
      return !words[0].equals(OPEN)
          || Long.parseLong(words[words.length - 1]) + COMMAND_TIME.toMillis() <= clock.millis();
    } catch (NumberFormatException e) {
      return true;
    }
  }

  /// The accounts for which a membership was begun or is done.
  SequencedMap<Jid, Progress> progress(Circle circle) {
    SequencedMap<Jid, Progress> all = new TreeMap<>();
    pages(PROGRESS + circle.key(), new byte[0])
        .forEach((account, value) ->
            all.put(
                account,
                new String(value, StandardCharsets.UTF_8).equals(Progress.DONE.name())
                    ? Progress.DONE
                    : Progress.BEGUN));
    return all;
  }

  /// The members for which not everything is done, in the order of their addresses.
  List<Jid> unfinished(Circle circle) {
    Map<Jid, Progress> progress = progress(circle);
    return members(circle).stream().filter(each -> progress.get(each) != Progress.DONE).toList();
  }

  /// Stores how far the membership of an account is carried out. Does nothing if the account was
  /// removed.
  ///
  /// @param progress null if nothing of it is left
  void progress(Circle circle, Jid account, @Nullable Progress progress) {
    String key = PROGRESS + circle.key();
    if (progress == null) {
      boolean _ = store.remove(account, key);
      return;
    }
    try {
      store.put(account, key, bytes(progress.name()));
    } catch (IllegalStateException e) {
      ignoreIfRemoved(account, e);
    }
  }

  /// The store refuses values of accounts that do not exist.
  private void ignoreIfRemoved(Jid account, IllegalStateException failure) {
    if (accounts.test(account)) {
      throw failure;
    }
    LOG.atDebug().addKeyValue("jid", account).setCause(failure).log("circle_member_was_removed");
  }

  /// Forgets a circle that was removed, after everything else of it.
  void forget(Circle circle) {
    for (Jid each : members(circle)) {
      boolean _ = store.remove(each, MEMBER + circle.key());
    }
    boolean _ = store.remove(host, CIRCLE + circle.key());
  }

  /// Drops notes of changes.
  void drop(Set<String> notes) {
    for (String key : notes) {
      boolean _ = store.remove(host, key);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
