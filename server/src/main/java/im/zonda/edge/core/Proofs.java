package im.zonda.edge.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Proofs that an edge gives back to the core, also to one that has been started again. Each is
/// valid for the edge whose certificate has that name. Nothing is stored. Any thread may call.
///
/// A *ticket* proves that a client has authenticated on a stream of the edge, for one full address.
/// A proof of a *state* proves that a core which was not this one has sent that state to the edge,
/// and not long ago: a session that ended while its core lived cannot be made again from an old
/// one.
final class Proofs {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String TICKET = "ticket of an edge";
  private static final String STATE = "state for an edge";
  private static final Pattern PROOF =
      Pattern.compile("([0-9]{1,12})\\.([0-9a-zA-Z_-]{1,64})\\.([0-9a-f]{64})");

  private final SecretKeySpec key;
  private final String core;
  private final InstantSource clock;
  private final Duration validity;

  /// @param secret stays the same over restarts
  /// @param core names this start of the core
  /// @param validity how old the proof of a state may be
  Proofs(byte[] secret, String core, InstantSource clock, Duration validity) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
    this.core = core;
    this.clock = clock;
    this.validity = validity;
  }

  /// The ticket of an edge for a session.
  String ticket(String edge, Jid jid) {
    return sign(TICKET, edge, jid.utf8());
  }

  /// Whether a ticket is that of this edge and session.
  boolean isTicket(String ticket, String edge, Jid jid) {
    return isEqual(ticket, ticket(edge, jid));
  }

  /// A proof of the state with this digest, from now on.
  String state(String edge, byte[] digest) {
    String head = clock.instant().getEpochSecond() + "." + core;
    return head + "." + sign(STATE, edge, head.getBytes(UTF_8), digest);
  }

  /// Whether an earlier core has sent this state to the edge, not long ago.
  boolean isState(String proof, String edge, String state) {
    Matcher matcher = PROOF.matcher(proof);
    if (!matcher.matches() || matcher.group(2).equals(core)) {
      return false;
    }
    String head = matcher.group(1) + "." + matcher.group(2);
    Instant sent = Instant.ofEpochSecond(Long.parseLong(matcher.group(1)));
    return isEqual(matcher.group(3), sign(STATE, edge, head.getBytes(UTF_8), digest(state)))
        && sent.plus(validity).isAfter(clock.instant());
  }

  private static boolean isEqual(String given, String expected) {
    return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
  }

  /// The digest of a state.
  static byte[] digest(String state) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(state.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  private String sign(String purpose, String edge, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(purpose.getBytes(UTF_8));
      mac.update((byte) 0);
      mac.update(edge.getBytes(UTF_8));
      for (byte[] part : parts) {
        mac.update((byte) 0);
        mac.update(part);
      }
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
    }
  }
}
