package im.zonda.edge.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Proofs that an edge gives back to the core, also to one that has been started again. Each is
/// valid for the edge whose certificate has that name. Nothing is stored. Any thread may call.
///
/// A *ticket* proves that a client has authenticated on a stream of the edge, for one full address.
/// A proof of a *state* proves that a core has sent the edge that state of a session with that full
/// address, not long ago, and names the process that had the session. It counts only once that
/// process is gone: a session that has ended while its process lives cannot be recovered.
final class Proofs {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String TICKET = "ticket of an edge";
  private static final String STATE = "state for an edge";
  private static final Pattern PROOF =
      Pattern.compile("([0-9]{1,12})\\.([^\\s]{1,128})\\.([0-9a-f]{64})");

  private final SecretKeySpec key;
  private final HomeProcesses processes;
  private final InstantSource clock;
  private final Duration validity;

  /// @param secret stays the same over restarts
  /// @param processes where sessions are
  /// @param validity how old the proof of a state may be
  Proofs(byte[] secret, HomeProcesses processes, InstantSource clock, Duration validity) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
    this.processes = processes;
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

  /// The process that has the session now; null if that is not known at present.
  @Nullable String processOf(Jid jid) {
    return processes.of(jid.bare());
  }

  /// A proof of the state with this digest, from now on.
  ///
  /// @param process the process that has the session
  String state(String edge, Jid jid, String process, byte[] digest) {
    String head = clock.instant().getEpochSecond() + "." + process;
    return head + "." + sign(STATE, edge, jid.utf8(), head.getBytes(UTF_8), digest);
  }

  /// Whether a core has sent the edge this state of a session with this address, not long ago, and
  /// the process that had the session is gone.
  boolean isState(String proof, String edge, Jid jid, String state) {
    Matcher matcher = PROOF.matcher(proof);
    if (!matcher.matches()) {
      return false;
    }
    String process = matcher.group(2);
    String head = matcher.group(1) + "." + process;
    Instant sent = Instant.ofEpochSecond(Long.parseLong(matcher.group(1)));
    String expected = sign(STATE, edge, jid.utf8(), head.getBytes(UTF_8), digest(state));
    return isEqual(matcher.group(3), expected)
        && sent.plus(validity).isAfter(clock.instant())
        && !processes.isRunning(process);
  }

  private static boolean isEqual(String given, String expected) {
    return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
  }

  /// The digest of a state.
  static byte[] digest(String state) {
    return HashFunction.SHA_256.hash(state);
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
