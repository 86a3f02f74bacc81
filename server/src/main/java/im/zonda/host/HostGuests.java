package im.zonda.host;

import im.zonda.account.GuestAddress;
import im.zonda.config.Guests;
import im.zonda.home.account.Dispatch;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.session.ClientNetwork;
import im.zonda.stream.sasl.GuestEntrance;
import im.zonda.stream.sasl.SaslCondition;
import im.zonda.stream.sasl.SaslFailure;
import im.zonda.throttle.GuestThrottle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;

/// Lets guests into one host, as its settings say. How many there are at a time is decided when
/// their sessions are bound.
final class HostGuests implements GuestEntrance {
  private final Dispatch dispatch;
  private final IdSource ids;
  private final GuestThrottle throttle;

  HostGuests(Dispatch dispatch, IdSource ids, InstantSource clock) {
    this.dispatch = dispatch;
    this.ids = ids;
    this.throttle = new GuestThrottle(clock, ids.next());
  }

  @Override
  public boolean isOpen() {
    return dispatch.guests().enabled();
  }

  @Override
  public Jid enter(ClientNetwork network) throws SaslFailure {
    Guests rules = dispatch.guests();
    if (!rules.enabled()) {
      throw new SaslFailure(SaslCondition.INVALID_MECHANISM, "guests are not let in any more");
    }
    if (!throttle.take(network, rules.perAddressPerHour())) {
      throw new SaslFailure(
          SaslCondition.TEMPORARY_AUTH_FAILURE, "too many guests from the address in an hour");
    }
    ByteBuffer bits = ByteBuffer.wrap(hash(ids.next()));
    return GuestAddress.of(dispatch.domain(), bits.getLong(), bits.getLong());
  }

  /// Makes random bits of an identifier, which has more of them than an address.
  private static byte[] hash(String id) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
