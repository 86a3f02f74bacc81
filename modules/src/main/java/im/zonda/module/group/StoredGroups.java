package im.zonda.module.group;

import im.zonda.group.GroupDefinition;
import im.zonda.group.GroupDefinition.Source;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The groups of a host that administrators have made, in the store. Calls block.
///
/// A group is a value of the host; each membership is a value of the account, so that nodes of a
/// cluster that add members never write the same value, and an account that is removed takes its
/// memberships along: its successor of the same name has none.
///
/// @param store the store [#STORE]
/// @param host the host
record StoredGroups(KeyValueStore store, Jid host) {
  /// The name of the store.
  static final String STORE = "groups";

  /// The most stored groups of a host.
  static final int MOST_GROUPS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(StoredGroups.class);
  private static final String GROUP = "group/";
  private static final String MEMBER = "member/";
  private static final byte[] YES = "member".getBytes(StandardCharsets.UTF_8);
  private static final int PAGE = 1_000;

  /// All groups, in the order of their ids.
  List<GroupDefinition> all() {
    List<GroupDefinition> groups = new ArrayList<>();
    new TreeMap<>(store.all(host))
        .forEach((key, value) -> {
          if (key.startsWith(GROUP)) {
            String id = key.substring(GROUP.length());
            try {
              groups.add(read(id, value));
            } catch (IllegalArgumentException e) {
              LOG.atError().addKeyValue("group", id).setCause(e).log("group_unreadable");
            }
          }
        });
    return groups.stream().map(each -> each.withMembers(members(each.id()))).toList();
  }

  /// One group, or null.
  @Nullable GroupDefinition find(String id) {
    byte[] value = store.get(host, GROUP + id);
    return value == null ? null : read(id, value).withMembers(members(id));
  }

  private Set<Jid> members(String id) {
    Set<Jid> members = new HashSet<>();
    SequencedMap<Jid, byte[]> page = store.find(host.domain(), MEMBER + id, YES, null, PAGE);
    while (!page.isEmpty()) {
      members.addAll(page.keySet());
      page =
          page.size() < PAGE
              ? new LinkedHashMap<>()
              : store.find(host.domain(), MEMBER + id, YES, page.lastEntry().getKey(), PAGE);
    }
    return members;
  }

  /// Stores what a group is, without its members.
  void put(GroupDefinition group) {
    store.put(host, GROUP + group.id(), write(group));
  }

  /// Adds members.
  ///
  /// @throws IllegalStateException if there is no such account
  void addMembers(String id, Collection<Jid> members) {
    for (Jid each : members) {
      store.put(each, MEMBER + id, YES);
    }
  }

  /// Removes members.
  void removeMembers(String id, Collection<Jid> members) {
    for (Jid each : members) {
      boolean _ = store.remove(each, MEMBER + id);
    }
  }

  /// Removes a group with its memberships.
  void remove(String id) {
    // First: of what is left by a server that dies here no one sees anything.
    boolean _ = store.remove(host, GROUP + id);
    removeMembers(id, members(id));
  }

  private static byte[] write(GroupDefinition group) {
    StringBuilder text = new StringBuilder(200);
    line(text, "name", group.name());
    line(text, "everyone", String.valueOf(group.everyone()));
    line(text, "hidden", String.valueOf(group.hidden()));
    line(text, "limit", String.valueOf(group.presenceLimit()));
    line(text, "groups", String.join(" ", group.groups()));
    line(text, "seen-by", String.join(" ", group.seenBy()));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void line(StringBuilder text, String key, String value) {
    text.append(key).append('=').append(value).append('\n');
  }

  private static GroupDefinition read(String id, byte[] value) {
    Map<String, String> lines = new TreeMap<>();
    new String(value, StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> {
          int equals = line.indexOf('=');
          if (equals > 0) {
            lines.put(line.substring(0, equals), line.substring(equals + 1));
          }
        });
    String name = lines.getOrDefault("name", "");
    if (!GroupNames.isName(name)) {
      throw new IllegalArgumentException("no name");
    }
    return new GroupDefinition(
        id,
        Source.STORED,
        name,
        Set.of(),
        Boolean.parseBoolean(lines.get("everyone")),
        words(lines.getOrDefault("groups", "")),
        Boolean.parseBoolean(lines.get("hidden")),
        words(lines.getOrDefault("seen-by", "")),
        Integer.parseInt(lines.getOrDefault("limit", "500")));
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
  }
}
