package im.zonda.stream.sasl;

import im.zonda.account.GuestAddress;
import im.zonda.config.Guests;
import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.runtime.ServerRuntime;
import im.zonda.session.ClientNetwork;
import im.zonda.throttle.GuestThrottle;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/// Lets guests into one host, as its rules say. How many there are at a time is decided when their
/// sessions are bound.
public final class HostGuests implements GuestEntrance {
  private final Jid host;
  private final Supplier<Guests> rules;
  private final IdSource ids;
  private final GuestThrottle throttle;

  public HostGuests(Jid host, Supplier<Guests> rules, ServerRuntime runtime) {
    this.host = host;
    this.rules = rules;
    this.ids = runtime.ids();
    this.throttle = new GuestThrottle(runtime.clock(), ids.next());
  }

  @Override
  public boolean isOpen() {
    return rules.get().enabled();
  }

  @Override
  public Jid enter(ClientNetwork network) throws SaslFailure {
    Guests present = rules.get();
    if (!present.enabled()) {
      throw new SaslFailure(SaslCondition.INVALID_MECHANISM, "guests are no longer allowed");
    }
    if (!throttle.take(network, present.perAddressPerHour())) {
      throw new SaslFailure(
          SaslCondition.TEMPORARY_AUTH_FAILURE, "too many guests from the address in an hour");
    }
    // An identifier has more random bits than an address.
    ByteBuffer bits = ByteBuffer.wrap(HashFunction.SHA_256.hash(ids.next()));
    return GuestAddress.of(host, bits.getLong(), bits.getLong());
  }
}
