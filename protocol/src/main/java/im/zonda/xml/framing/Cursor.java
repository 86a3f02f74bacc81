package im.zonda.xml.framing;

import im.zonda.xml.XmlChars;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlException.Condition;

/// The available bytes of the token that is being scanned, and the scanning of characters, names
/// and white space in them.
///
/// Positions that are kept between calls are relative to the start of the token, because the next
/// bytes may be in another array.
abstract class Cursor {
  private static final byte[] NOTHING = {};

  /// The current array, valid up to [#end]; the token starts at [#base].
  protected byte[] in = NOTHING;

  protected int base;
  protected int end;

  /// Set if the character at the position is incomplete: more bytes are needed.
  protected boolean starved;

  /// Position of the name that is being read, relative to the token, and of its colon, or -1.
  protected int mark;

  protected int colon;

  protected int maxNameBytes;

  /// The number of `]` before the position, in text or in a CDATA section.
  protected int brackets;

  protected boolean sectionEnded;

  /// Sets the bytes of the token that starts at `start`.
  final void open(byte[] bytes, int start, int to) {
    in = bytes;
    base = start;
    end = to;
    starved = false;
  }

  /// Releases the array.
  final void close() {
    in = NOTHING;
  }

  // Returns the end of the name, or `end` if the name may continue.
  final int name(int from) throws XmlException {
    int p = from;
    while (p < end) {
      int c = in[p];
      if (c < 0) {
        p = nameCharacter(p);
        if (starved) {
          return p;
        }
      } else if ((XmlChars.flags(c) & XmlChars.NAME) != 0) {
        p++;
      } else if (c == ':' && colon < 0) {
        colon = p - base;
        p++;
      } else {
        checkName(p);
        return p;
      }
    }
    checkNameLength(p);
    return p;
  }

  private void checkNameLength(int p) throws XmlException {
    if (p - base - mark > maxNameBytes) {
      throw new XmlException(Condition.POLICY_VIOLATION, "a name too long");
    }
  }

  private void checkName(int to) throws XmlException {
    checkNameLength(to);
    checkNameStart(base + mark, colon < 0 ? to : base + colon);
    if (colon >= 0) {
      checkNameStart(base + colon + 1, to);
    }
  }

  private void checkNameStart(int p, int to) throws XmlException {
    if (p >= to || (in[p] >= 0 && (XmlChars.flags(in[p]) & XmlChars.NAME_START) == 0)) {
      throw notWellFormed("not a name");
    }
  }

  private int nameCharacter(int p) throws XmlException {
    int c = Utf8.decode(in, p, end);
    if (c == Utf8.INCOMPLETE) {
      starved = true;
      return p;
    }
    int at = p - base;
    boolean first = at == mark || at == colon + 1;
    if (c < 0 || !(first ? XmlChars.isNameStart(c) : XmlChars.isName(c))) {
      checkNameLength(p); // as if the bytes had come one by one: the first error counts
      throw notWellFormed(c < 0 ? "not UTF-8" : "not a name");
    }
    return p + Utf8.size(c);
  }

  final int character(int p) throws XmlException {
    int c = Utf8.decode(in, p, end);
    if (c == Utf8.INCOMPLETE) {
      starved = true;
      return p;
    }
    if (c < 0 || !XmlChars.isChar(c)) {
      throw notWellFormed(c < 0 ? "not UTF-8" : "not a character of XML");
    }
    return p + Utf8.size(c);
  }

  final int skipSpace(int from) {
    int p = from;
    while (p < end && XmlChars.isSpace(in[p])) {
      p++;
    }
    return p;
  }

  /// Scans a CDATA section and returns the position where it stopped; [#sectionEnded] is set if the
  /// section has ended there.
  final int section(int from) throws XmlException {
    sectionEnded = false;
    int p = from;
    while (p < end) {
      int c = in[p];
      if (c < 0) {
        brackets = 0;
        p = character(p);
        if (starved) {
          return p;
        }
        continue;
      }
      if (c == ']') {
        brackets++;
      } else {
        if (c == '>' && brackets >= 2) {
          sectionEnded = true;
          return p + 1;
        }
        brackets = 0;
        if (!XmlChars.isChar(c)) {
          throw notWellFormed("a control character");
        }
      }
      p++;
    }
    return p;
  }

  static XmlException notWellFormed(String message) {
    return new XmlException(Condition.NOT_WELL_FORMED, message);
  }
}
