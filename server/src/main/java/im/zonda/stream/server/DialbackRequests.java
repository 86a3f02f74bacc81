package im.zonda.stream.server;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.module.Xep;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The dialback requests that come on a stream: this server as the receiving and as the
/// authoritative server (XEP-0220, section 2.2). Confined to the stream's thread.
@Xep(
    number = 220,
    version = "1.1.1",
    title = "Server Dialback",
    note =
        "A domain that the certificate proves is accepted without asking its servers. Target"
            + " domains are not multiplexed on streams that this server opens.")
final class DialbackRequests {
  /// The most domain pairs of one stream.
  static final int MAX_PAIRS = 256;

  /// The most keys that are being verified for one stream.
  private static final int MAX_PENDING = 16;

  private static final Logger LOG = LoggerFactory.getLogger(DialbackRequests.class);

  private final ServerStreamRole role;
  private final Set<DomainPair> pending = new HashSet<>();
  private String id = "";
  private boolean over;

  DialbackRequests(ServerStreamRole role) {
    this.role = role;
  }

  /// The identifier that this server has given the stream.
  void setStreamId(@Nullable String given) {
    id = given == null ? "" : given;
  }

  /// The stream has ended.
  void cancel() {
    over = true;
    pending.clear();
  }

  // ---- the authoritative server

  /// Answers whether a key is ours.
  void verify(DialbackElement request) {
    Stream stream = role.stream();
    if (role.context().served().findHost(request.to()) == null) {
      stream.write(request.error(ErrorCondition.ITEM_NOT_FOUND, null));
      return;
    }
    boolean valid =
        role.context().keys().check(request.key(), request.from(), request.to(), request.id());
    if (!valid) {
      LOG.atInfo()
          .addKeyValue("address", role.transport().remoteAddress().getHostAddress())
          .addKeyValue("from", request.from())
          .addKeyValue("to", request.to())
          .log("dialback_key_not_ours");
    }
    stream.write(
        request.answer(valid ? DialbackElement.Outcome.VALID : DialbackElement.Outcome.INVALID));
  }

  // ---- the receiving server

  /// Decides whether the other server is accepted for a pair.
  void authorize(DialbackElement request) {
    Stream stream = role.stream();
    DomainPair pair = new DomainPair(request.to(), request.from());
    if (role.link().accepts(pair)) {
      stream.write(request.answer(DialbackElement.Outcome.VALID));
      return;
    }
    if (pending.contains(pair)) {
      return; // the answer to the first request is the answer to both
    }
    ErrorCondition refused = refusal(pair);
    if (refused != null) {
      stream.write(request.error(refused, null));
      return;
    }
    String problem = role.findCertificateProblem(pair.remote());
    if (problem == null) {
      accept(request, pair, ServerStreamRole.CERTIFICATE);
    } else if (!role.context().policy().allowsDialback(pair)) {
      stream.write(request.error(ErrorCondition.NOT_AUTHORIZED, problem));
    } else if (pending.size() >= MAX_PENDING || !mayConnect(pair)) {
      stream.write(request.error(ErrorCondition.RESOURCE_CONSTRAINT, null));
    } else {
      ask(request, pair);
    }
  }

  private boolean mayConnect(DomainPair pair) {
    InetAddress address = role.transport().remoteAddress();
    ServerStreamContext context = role.context();
    if (context.verifications().acquire(address, pair.remote(), context.clock().millis())) {
      return true;
    }
    LOG.atDebug()
        .addKeyValue("address", address.getHostAddress())
        .addKeyValue("domain", pair.remote())
        .log("dialback_throttled");
    return false;
  }

  private @Nullable ErrorCondition refusal(DomainPair pair) {
    ServerStreamPolicy policy = role.context().policy();
    if (role.context().served().findHost(pair.local()) == null) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    if (role.context().served().findHost(pair.remote()) != null || !policy.isAllowed(pair)) {
      return ErrorCondition.NOT_ALLOWED;
    }
    if (policy.requiresTls(pair) && !role.transport().secure()) {
      return ErrorCondition.POLICY_VIOLATION;
    }
    return role.link().acceptedPairs() >= MAX_PAIRS ? ErrorCondition.RESOURCE_CONSTRAINT : null;
  }

  private void ask(DialbackElement request, DomainPair pair) {
    pending.add(pair);
    ServerStreamContext context = role.context();
    InetAddress address = role.transport().remoteAddress();
    KeyVerification verification =
        new KeyVerification(
            pair,
            id,
            request.key(),
            result -> {
              context.verifications().release(address, pair.remote());
              role.transport().execute(() -> verified(request, pair, result));
            });
    context
        .connector()
        .connect(
            pair.remote(),
            context.verifying(verification),
            failure ->
                verification.fail(
                    failure.reason() == ServerStreamFailure.Reason.NO_SUCH_DOMAIN
                        ? ErrorCondition.REMOTE_SERVER_NOT_FOUND
                        : ErrorCondition.REMOTE_SERVER_TIMEOUT,
                    failure.detail()));
  }

  private void verified(DialbackElement request, DomainPair pair, KeyVerification.Result result) {
    if (over || !pending.remove(pair)) {
      return;
    }
    Stream stream = role.stream();
    switch (result) {
      case KeyVerification.Result.Valid() -> accept(request, pair, ServerStreamRole.DIALBACK);
      case KeyVerification.Result.Invalid() -> {
        LOG.atWarn()
            .addKeyValue("address", role.transport().remoteAddress().getHostAddress())
            .addKeyValue("domain", pair.remote())
            .log("dialback_spoofed");
        if (role.link().hasPairs() || !pending.isEmpty()) {
          stream.write(request.error(ErrorCondition.FORBIDDEN, null));
        } else {
          stream.write(request.answer(DialbackElement.Outcome.INVALID));
          stream.fail(StreamErrorCondition.NOT_AUTHORIZED, "the dialback key is not valid");
        }
      }
      case KeyVerification.Result.Failed(var condition, var detail) ->
          stream.write(request.error(condition, detail));
    }
  }

  private void accept(DialbackElement request, DomainPair pair, String by) {
    role.stream().write(request.answer(DialbackElement.Outcome.VALID));
    role.accept(pair, by);
  }
}
