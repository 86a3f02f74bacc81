package im.zonda.stream.bound;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.IdSource;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.framing.Frame;
import org.jspecify.annotations.Nullable;

/// The elements of a stream that has its session. Runs on the stream's thread.
public final class BoundStream {
  private static final String CLIENT_STATE = "urn:xmpp:csi:0";
  private static final long BEGIN_MILLIS = 5_000;
  private static final String PING = "urn:xmpp:ping";

  private final OpenStream stream;
  private final Jid domain;
  private final SessionLink link;
  private final Jid jid;
  private final long since;
  private boolean begun;
  private @Nullable StreamManagement management;
  private boolean resumable;

  /// @param domain the virtual host
  /// @param jid the full address
  public BoundStream(OpenStream stream, Jid domain, SessionLink link, Jid jid) {
    this.stream = stream;
    this.domain = domain;
    this.link = link;
    this.jid = jid;
    this.since = stream.now();
  }

  /// The full address of the session.
  public Jid jid() {
    return jid;
  }

  // ---- stream management (XEP-0198)

  /// The session is managed already.
  ///
  /// @param acknowledged the stanzas that the client has acknowledged
  /// @param mayResume whether the client can resume it
  public void managed(long acknowledged, boolean mayResume) {
    management = new StreamManagement(stream, link, acknowledged, false);
    resumable = mayResume;
  }

  private void enable(Element enable) {
    if (management == null) {
      management = new StreamManagement(stream, link, 0, true);
      resumable = StreamManagement.wantsResumption(enable);
    }
    link.enable(StreamManagement.wantsResumption(enable));
  }

  /// The session's answer to an `<enable/>`; null if it was managed before.
  public void enabled(ToStream.@Nullable Enabled enabled) {
    if (enabled == null || management == null) {
      stream.write(StreamManagement.failed(ErrorCondition.UNEXPECTED_REQUEST, null));
      return;
    }
    stream.write(StreamManagement.enabled(jid, enabled));
    management.enabled();
  }

  /// Whether the client can resume the session.
  public boolean isResumable() {
    return resumable;
  }

  /// More of the client's stanzas have been handled.
  public void allHandled() {
    if (management != null) {
      management.handled();
    }
  }

  /// Called before output is flushed.
  public void flushing() {
    if (management != null) {
      management.flushing();
    }
  }

  /// Sends a last acknowledgement, so that the client need not send handled stanzas again.
  public void lastWord() {
    if (management != null) {
      management.lastWord();
    }
  }

  /// Looks at the time; false if the client has not answered for too long.
  public boolean tick(long now) {
    if (!begun && now - since >= BEGIN_MILLIS) {
      begun = true;
      link.begun();
    }
    return management == null || management.tick(now);
  }

  // ---- elements

  /// Takes a first-level element.
  public void element(Frame frame) {
    QName name = frame.name();
    switch (name.namespace()) {
      case Namespaces.CLIENT -> stanza(frame);
      case Namespaces.STREAM -> stream.streamElement(name);
      case StreamManagement.NAMESPACE -> managementElement(frame);
      case CLIENT_STATE -> clientState(name);
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void managementElement(Frame frame) {
    QName name = frame.name();
    StreamManagement managed = management;
    if (name.name().equals("enable")) {
      // A second request is rejected and the stream stays open: section 3 would close it, but some
      // clients then reconnect forever.
      enable(frame.toElement());
    } else if (managed != null) {
      managed.element(name, frame.attribute("h"));
    } else if (name.name().equals("resume")) {
      stream.write(StreamManagement.failed(ErrorCondition.UNEXPECTED_REQUEST, null));
    } else {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  /// XEP-0352, section 4.
  private void clientState(QName name) {
    switch (name.name()) {
      case "active" -> link.active(true);
      case "inactive" -> link.active(false);
      default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    }
  }

  private void stanza(Frame frame) {
    Stanza stanza;
    try {
      if (!isStanza(frame.name())) {
        stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
        return;
      }
      stanza = Stanza.received(frame);
    } catch (StanzaFormatException e) {
      link.dealt(e.reply(jid.bare(), jid));
      return;
    }
    stream.transport().received();
    Jid from = stanza.from();
    if (from != null && !from.bare().equals(jid.bare())) {
      stream.fail(StreamErrorCondition.INVALID_FROM, null);
      return;
    }
    if (from != null && from.resource() != null && !from.equals(jid)) {
      // RFC 6120, section 8.1.2.1, allows it: converse.js resumes a session and sends from another
      // resource of the account.
      stanza = stanza.withAddresses(jid, stanza.to());
    }
    String lang = stream.lang();
    if (lang != null && stanza.lang() == null) {
      // RFC 6120, section 8.1.5: the stream's language is that of its stanzas.
      stanza = stanza.withLang(lang);
    }
    Stanza reply = stanza instanceof Iq iq ? reply(iq) : null;
    if (reply != null) {
      link.dealt(reply);
    } else {
      link.received(stanza);
    }
  }

  private static boolean isStanza(QName name) {
    return switch (name.name()) {
      case "message", "presence", "iq" -> true;
      default -> false;
    };
  }

  /// The answer to what concerns the stream itself: a second bind, the old session request. Null
  /// for everything else.
  private @Nullable Stanza reply(Iq iq) {
    QName payload = iq.type() == Iq.Type.SET ? iq.payloadName() : null;
    Jid to = iq.to();
    if (payload == null || (to != null && !to.equals(domain))) {
      return null;
    }
    return switch (payload.namespace()) {
      case Namespaces.SESSION -> Iq.result(iq, null);
      case Namespaces.BIND -> Iq.error(iq, StanzaError.of(ErrorCondition.NOT_ALLOWED));
      default -> null;
    };
  }

  /// Asks the client for a sign of life.
  public void ping(IdSource ids) {
    if (management != null) {
      management.ask();
    } else {
      Element payload = Element.of(PING, "ping");
      stream.transport().write(Iq.of(Iq.Type.GET, domain, jid, ids.next(), payload));
    }
  }
}
