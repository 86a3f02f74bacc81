package im.zonda.host;

import im.zonda.cluster.Member;
import im.zonda.config.Components;
import im.zonda.node.Nodes;
import im.zonda.node.Post;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares what the nodes of a cluster serve, because each node reads its own files: the hosts,
/// and the domains of components. Any thread may call.
final class ServedByNodes {
  private static final Logger LOG = LoggerFactory.getLogger(ServedByNodes.class);

  private final Nodes nodes;
  private final Supplier<Collection<String>> hosts;
  private final Components components;
  private final Map<Member, String> others = new ConcurrentHashMap<>();

  /// @param hosts the hosts at present
  ServedByNodes(Nodes nodes, Supplier<Collection<String>> hosts, Components components) {
    this.nodes = nodes;
    this.hosts = hosts;
    this.components = components;
  }

  /// A hash of what this node serves.
  private String hash() {
    StringBuilder text = new StringBuilder();
    new TreeSet<>(hosts.get()).forEach(host -> text.append(host).append('\n'));
    text.append('\n');
    new TreeSet<>(components.secret().keySet()).forEach(domain -> text.append(domain).append('\n'));
    try {
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-256", e);
    }
  }

  /// Tells the other nodes what this one serves: after a reload, and when there are other nodes.
  void announce() {
    nodes.postToOthers(new Post.Served(hash()));
  }

  /// These are the nodes from now on.
  void placed(Set<Member> members) {
    others.keySet().retainAll(members);
    announce();
  }

  /// Another node has said something. Does nothing with values of other kinds.
  void receive(Member from, Post value) {
    if (value instanceof Post.Served(String hash) && !hash.equals(others.put(from, hash))) {
      if (!hash.equals(hash())) {
        LOG.atWarn().addKeyValue("node", from).log("cluster_hosts_differ");
      }
    }
  }

  /// The nodes that serve other hosts or components than this one.
  Set<Member> differing() {
    String own = hash();
    Set<Member> differing = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
    others.forEach((member, hash) -> {
      if (!hash.equals(own)) {
        differing.add(member);
      }
    });
    return differing;
  }
}
