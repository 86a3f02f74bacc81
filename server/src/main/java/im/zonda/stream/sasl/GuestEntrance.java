package im.zonda.stream.sasl;

import im.zonda.jid.Jid;
import im.zonda.session.ClientNetwork;

/// Lets clients in that log in without an account (SASL ANONYMOUS). Any thread may call; nothing
/// blocks.
public interface GuestEntrance {
  /// Lets no one in.
  GuestEntrance CLOSED =
      new GuestEntrance() {
        @Override
        public boolean isOpen() {
          return false;
        }

        @Override
        public Jid enter(ClientNetwork network) throws SaslFailure {
          throw new SaslFailure(SaslCondition.INVALID_MECHANISM, "no guests");
        }
      };

  /// Whether ANONYMOUS is offered.
  boolean isOpen();

  /// A new bare address for a guest.
  ///
  /// @param network where the client comes from
  /// @throws SaslFailure if no more guests may come from there at present
  Jid enter(ClientNetwork network) throws SaslFailure;
}
