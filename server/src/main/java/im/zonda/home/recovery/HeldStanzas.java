package im.zonda.home.recovery;

import im.zonda.home.account.AccountHome;
import im.zonda.home.session.LocalSession;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;

/// Stanzas for sessions that were lost with their node, which homes hold until the sessions are
/// recovered. The methods are called at the homes.
public interface HeldStanzas {
  /// A server without a cluster, which holds no stanza.
  HeldStanzas NONE =
      new HeldStanzas() {
        @Override
        public boolean hold(AccountHome home, Envelope envelope) {
          return false;
        }

        @Override
        public void recovered(AccountHome home, LocalSession session) {}

        @Override
        public void replaced(AccountHome home, Jid session) {}

        @Override
        public void left(AccountHome home) {}
      };

  /// Holds a stanza if it is for a session that may still be recovered; false if it is to be
  /// handled now.
  boolean hold(AccountHome home, Envelope envelope);

  /// A session has been recovered: it gets the stanzas that were held for it.
  void recovered(AccountHome home, LocalSession session);

  /// A new session begins: rejects the stanzas that were held for the former session with its
  /// address.
  void replaced(AccountHome home, Jid session);

  /// The home is unloaded: routes the stanzas that it holds to its new place.
  void left(AccountHome home);
}
