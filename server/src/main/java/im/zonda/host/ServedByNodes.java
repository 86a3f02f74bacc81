package im.zonda.host;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.hash.HashFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares what the nodes of a cluster serve, because each node reads its own files: an account or
/// a room has the settings of the node that it is at home at. Sizes of memory and rates may differ.
/// Any thread may call.
final class ServedByNodes {
  private static final int HASH_BYTES = 8;
  private static final Logger LOG = LoggerFactory.getLogger(ServedByNodes.class);

  private final NodeMessage.Sender sender;
  private final Supplier<Collection<String>> hosts;
  private final Map<Member, String> others = new ConcurrentHashMap<>();
  private volatile ServerConfig config;

  /// @param hosts the hosts at present
  ServedByNodes(
      NodeMessage.Sender sender, Supplier<Collection<String>> hosts, ServerConfig config) {
    this.sender = sender;
    this.hosts = hosts;
    this.config = config;
  }

  /// This node has read its files again.
  void reload(ServerConfig changed) {
    config = changed;
    announce();
  }

  /// Each section of the configuration with a hash of what is in it: `hosts=00ff;rooms=ff00`.
  private String sections() {
    ServerConfig own = config;
    Map<String, Object> sections = new TreeMap<>();
    sections.put("hosts", new TreeSet<>(hosts.get()));
    sections.put("component", new TreeSet<>(own.component().secret().keySet()));
    sections.put("s2s.enabled", own.s2s().enabled());
    sections.put("storage", List.of(own.storage().archive(), own.storage().durable()));
    sections.put("archive", own.archive());
    sections.put("rooms", own.rooms());
    sections.put("services.pubsub", own.services().pubsub());
    sections.put("services.uploads", own.services().uploads());
    sections.put("registration", own.registration());
    sections.put("services.administration", own.services().administration());
    sections.put("limits", own.limits().ofHost());
    sections.put("modules-off", new TreeSet<>(own.modulesOff()));
    sections.put("host", own.host().entrySet().stream().map(ServedByNodes::text).sorted().toList());
    return sections.entrySet().stream()
        .map(each -> each.getKey() + "=" + hash(each.getValue().toString()))
        .collect(Collectors.joining(";"));
  }

  /// The settings of one host, but for its certificate.
  private static String text(Map.Entry<String, ServerConfig.Host> entry) {
    ServerConfig.Host host = entry.getValue();
    Set<String> off = host.modulesOff();
    List<@Nullable Object> all = new ArrayList<>();
    all.addAll(Arrays.asList(entry.getKey(), host.registration(), host.archive(), host.rooms()));
    all.addAll(Arrays.asList(host.contact(), off == null ? null : new TreeSet<>(off)));
    all.add(host.limits());
    Services services = host.services();
    all.add(services == null ? null : services.pubsub());
    all.add(services == null ? null : services.uploads());
    all.add(services == null ? null : services.administration());
    return all.toString();
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(HashFunction.SHA_256.hash(text), 0, HASH_BYTES);
  }

  /// Announces the served configuration to the other nodes: after a reload, and when nodes join.
  /// Announcements are serialised, so that the last one is current.
  synchronized void announce() {
    sender.postToOthers(new NodeMessage.Served(sections()));
  }

  /// These are the nodes from now on.
  void placed(Set<Member> members) {
    others.keySet().retainAll(members);
    announce();
  }

  /// Handles a message of another node; ignores other kinds.
  void receive(Member from, NodeMessage value) {
    if (value instanceof NodeMessage.Served(String theirs)
        && !theirs.equals(others.put(from, theirs))) {
      SortedSet<String> differing = differing(sections(), theirs);
      if (!differing.isEmpty()) {
        LOG.atWarn()
            .addKeyValue("node", from)
            .addKeyValue("settings", differing)
            .log("cluster_settings_differ");
      }
    }
  }

  /// The sections that are not in both texts.
  private static SortedSet<String> differing(String own, String theirs) {
    SortedSet<String> names = new TreeSet<>();
    List<String> mine = List.of(own.split(";", -1));
    List<String> others = List.of(theirs.split(";", -1));
    for (String each : mine) {
      if (!others.contains(each)) {
        names.add(name(each));
      }
    }
    for (String each : others) {
      if (!mine.contains(each)) {
        names.add(name(each));
      }
    }
    return names;
  }

  private static String name(String section) {
    return section.substring(0, Math.max(0, section.indexOf('=')));
  }

  /// The nodes with other settings than this one, and which these are.
  Map<Member, SortedSet<String>> differing() {
    String own = sections();
    Map<Member, SortedSet<String>> differing =
        new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    others.forEach((member, theirs) -> {
      if (!theirs.equals(own)) {
        differing.put(member, differing(own, theirs));
      }
    });
    return differing;
  }
}
