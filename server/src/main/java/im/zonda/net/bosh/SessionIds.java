package im.zonda.net.bosh;

import im.zonda.cluster.Member;
import im.zonda.cluster.node.Nodes;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Identifiers of sessions. In a cluster each has a mark by which the other nodes, and no one else,
/// recognise the node that has created it: nothing is forwarded for an identifier that a client has
/// made up. Any thread may call.
public final class SessionIds {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "BOSH session\n";
  private static final int MARK_BYTES = 16;
  private static final int MAX_LENGTH = 256;

  private final Nodes nodes;
  private final @Nullable SecretKeySpec key;

  private SessionIds(Nodes nodes, @Nullable SecretKeySpec key) {
    this.nodes = nodes;
    this.key = key;
  }

  /// Those of a process that is alone.
  public static SessionIds alone() {
    return new SessionIds(Nodes.NONE, null);
  }

  /// Those of a node of a cluster, or of a server without one.
  ///
  /// @param secret the same at all nodes
  public static SessionIds of(Nodes nodes, byte[] secret) {
    return new SessionIds(nodes, new SecretKeySpec(secret, ALGORITHM));
  }

  Nodes nodes() {
    return nodes;
  }

  /// The identifier of a session of this process.
  ///
  /// @param random an identifier that nobody can guess
  String create(String random) {
    Member self = nodes.view().self();
    SecretKeySpec known = key;
    return self == null || known == null ? random : random + "." + mark(known, random, self);
  }

  /// The other node that has created a session; null if it was this one, if the node is no longer a
  /// member, or if no node has.
  @Nullable Member creator(String sid) {
    SecretKeySpec known = key;
    int dot = sid.lastIndexOf('.');
    if (known == null || dot < 0 || sid.length() > MAX_LENGTH) {
      return null;
    }
    byte[] mark = sid.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
    for (Member each : nodes.view().members()) {
      byte[] its = mark(known, sid.substring(0, dot), each).getBytes(StandardCharsets.UTF_8);
      if (!each.equals(nodes.view().self()) && MessageDigest.isEqual(its, mark)) {
        return each;
      }
    }
    return null;
  }

  private static String mark(SecretKeySpec key, String random, Member node) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] all = mac.doFinal((PURPOSE + random + "\n" + node).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(all, 0, MARK_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
    }
  }
}
