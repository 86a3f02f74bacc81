package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts the failed authentications of one stream, by whatever profile, and ends the stream when
/// there were too many.
final class LoginFailures {
  private static final Logger LOG = LoggerFactory.getLogger(LoginFailures.class);

  private final ClientStream stream;
  private final int most;
  private int failures;

  LoginFailures(ClientStream stream, int most) {
    this.stream = stream;
    this.most = most;
  }

  /// An attempt failed.
  void log(
      SaslFailure failure, StreamHost host, @Nullable Jid account, @Nullable String mechanism) {
    LOG.atInfo()
        .addKeyValue("host", host.domain())
        .addKeyValue("account", account)
        .addKeyValue("mechanism", mechanism)
        .addKeyValue("address", stream.address())
        .addKeyValue("condition", failure.condition())
        .addKeyValue("reason", failure.getMessage())
        .log("sasl_failed");
  }

  /// To be called when the client has been told.
  void told() {
    if (++failures >= most) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too many failed authentications");
    }
  }

  /// What the client is told when a store or a part of the server has failed.
  static SaslFailure broken(StreamHost host, Exception cause) {
    LOG.atError()
        .addKeyValue("host", host.domain())
        .addKeyValue("store", cause instanceof StoreException e ? e.category() : null)
        .setCause(cause)
        .log("sasl_lookup_failed");
    return new SaslFailure(SaslCondition.TEMPORARY_AUTH_FAILURE, "lookup");
  }
}
