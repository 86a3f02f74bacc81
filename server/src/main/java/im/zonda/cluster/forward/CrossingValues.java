package im.zonda.cluster.forward;

import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.link.LinkCodec;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.route.EnvelopeCodec;
import im.zonda.stanza.Iq;
import im.zonda.stanza.ReplacementStanza;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Encodes values for another node before they get a number: a numbered value that cannot be sent
/// would hold up all later ones. Any thread may call.
public final class CrossingValues {
  private static final Logger LOG = LoggerFactory.getLogger(CrossingValues.class);

  private final EnvelopeCodec envelopes;
  private final int maxBytes;

  /// @param maxBytes the most bytes of one value
  public CrossingValues(int maxBytes) {
    this.envelopes = new EnvelopeCodec(maxBytes);
    this.maxBytes = maxBytes;
  }

  /// The bytes of an envelope, or of an error in place of an answer that is too large. Null if any
  /// other stanza is too large: its sender is to get an error.
  public @Nullable StanzaBytes write(Envelope envelope) {
    StanzaBytes bytes = new StanzaBytes(envelopes.write(envelope));
    if (fits(bytes, "stanza")) {
      return bytes;
    }
    return envelope.stanza() instanceof Iq iq && !iq.isRequest()
        ? new StanzaBytes(envelopes.write(envelope.withStanza(ReplacementStanza.of(iq))))
        : null;
  }

  /// The bytes of a value for a session; null if it is too large.
  public @Nullable StanzaBytes write(ToSession value) {
    StanzaBytes bytes = new StanzaBytes(LinkCodec.write(value));
    return fits(bytes, "value for a session") ? bytes : null;
  }

  /// The bytes of a value for a stream, or of its replacement if it is too large
  /// ([LinkCodec#instead]). Null for a state, which has no replacement: the stream keeps the former
  /// one.
  public @Nullable StanzaBytes write(ToStream value) {
    StanzaBytes bytes = new StanzaBytes(LinkCodec.write(value));
    if (fits(bytes, "value for a stream")) {
      return bytes;
    }
    return value instanceof ToStream.State
        ? null
        : new StanzaBytes(LinkCodec.write(LinkCodec.instead(value)));
  }

  private boolean fits(StanzaBytes bytes, String what) {
    if (bytes.size() > maxBytes) {
      LOG.atWarn()
          .addKeyValue("what", what)
          .addKeyValue("bytes", bytes.size())
          .log("node_value_too_large");
      return false;
    }
    return true;
  }
}
