package im.zonda.console.view;

import gg.jte.TemplateOutput;

/// Collects what a template writes, which has escaped every value. Control characters, and those
/// that change the direction of what follows, are replaced: they could disguise a name.
final class SafeOutput implements TemplateOutput {
  private final StringBuilder out = new StringBuilder(8_192);

  @Override
  public void writeContent(String value) {
    writeContent(value, 0, value.length());
  }

  @Override
  public void writeContent(String value, int beginIndex, int endIndex) {
    for (int i = beginIndex; i < endIndex; i++) {
      char c = value.charAt(i);
      out.append(disguises(c) ? '\ufffd' : c);
    }
  }

  private static boolean disguises(char c) {
    return (c >= '\u202a' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069')
        || (c < ' ' && c != '\n' && c != '\t' && c != '\r')
        || (c >= '\u007f' && c <= '\u009f');
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
