package im.zonda.module.commands;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The reply to a request, given once: while the handler runs, or later by any thread.
final class LateReply {
  private final ModuleContext context;
  private final Iq request;
  private final Jid address;

  // Guarded by this object's monitor.
  private @Nullable IqReply given;
  private boolean late;

  /// @param address from where a late reply comes
  LateReply(ModuleContext context, Iq request, Jid address) {
    this.context = context;
    this.request = request;
    this.address = address;
  }

  /// Gives the reply, unless it has been given.
  synchronized void give(Supplier<IqReply> reply) {
    if (given != null) {
      return;
    }
    given = reply.get();
    if (late) {
      send(given);
    }
  }

  /// The reply, or that it comes later.
  synchronized IqReply nowOrLater() {
    late = true;
    return given == null ? IqReply.later() : given;
  }

  private void send(IqReply reply) {
    Iq answer =
        switch (reply) {
          case IqReply.Result(@Nullable Element payload) -> Iq.result(request, payload);
          case IqReply.Refuse(StanzaError error) -> Iq.error(request, error);
          case IqReply.Later() -> throw new IllegalStateException("a stage is answered once");
        };
    context.send(answer.withAddresses(address, request.from()));
  }
}
