package im.zonda.route;

/// Bytes that are not an [im.zonda.module.Envelope] in a form that this version reads.
public final class EnvelopeFormatException extends Exception {
  private static final long serialVersionUID = 1;

  EnvelopeFormatException(String message) {
    super(message);
  }

  EnvelopeFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
