package im.zonda.xml.framing;

import im.zonda.xml.QName;
import im.zonda.xml.XmlChars;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlException.Condition;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.XmlNamespaces;
import java.util.Arrays;

/// Scans one token of a stream from its `<` on: the XML declaration, the stream header, a
/// first-level element with its content, or the closing tag.
///
/// A state machine that can stop at any byte and continue in another array: positions are relative
/// to the start of the token. No byte is read twice, except those of a split character.
final class ElementScanner extends Cursor {
  private static final int TEXT = 0;
  private static final int BRACKETS = 1;
  private static final int REFERENCE = 2;
  private static final int OPEN = 3;
  private static final int NAME = 4;
  private static final int TAG = 5;
  private static final int ATTRIBUTE = 6;
  private static final int EQUALS = 7;
  private static final int QUOTE = 8;
  private static final int VALUE = 9;
  private static final int AFTER_VALUE = 10;
  private static final int SLASH = 11;
  private static final int END_NAME = 12;
  private static final int END_SPACE = 13;
  private static final int BANG = 14;
  private static final int CDATA = 15;
  private static final int INSTRUCTION = 16;
  private static final int DECLARATION = 17;
  private static final int DONE = 18;

  private static final String CDATA_START = "[CDATA[";
  private static final int MAX_DECLARATION = 256;

  private final NamespaceStack namespaces = new NamespaceStack();
  private final StartTag tag = new StartTag(namespaces);
  private final FrameBuilder frame = new FrameBuilder();
  private final OpenElements open = new OpenElements();
  private int elements;

  private XmlLimits limits = XmlLimits.BEFORE_AUTHENTICATION;
  private StreamScope scope = StreamScope.EMPTY;
  private ExpectedToken expect = ExpectedToken.HEADER;
  private TokenKind kind = TokenKind.ELEMENT;
  private int state = DONE;
  private int tagFrom;
  private int valueFrom;
  private int quote;
  private boolean inValue;

  /// Begins a token. The first byte is `<`; [#scan] starts after it.
  void start(ExpectedToken expected, XmlLimits newLimits, StreamScope newScope) {
    expect = expected;
    limits = newLimits;
    scope = newScope;
    maxNameBytes = newLimits.maxNameBytes();
    open.clear();
    elements = 0;
    tagFrom = 0;
    state = OPEN;
    namespaces.shrink(0);
    tag.enter(newScope);
    frame.clear();
  }

  /// Releases everything that belongs to a stream.
  void rest() {
    scope = StreamScope.EMPTY;
    namespaces.shrink(0);
    tag.enter(StreamScope.EMPTY);
    frame.clear();
  }

  /// Whether the token is complete.
  boolean done() {
    return state == DONE;
  }

  /// The kind of the complete token.
  TokenKind kind() {
    return kind;
  }

  /// The maximum size of this token in bytes.
  int maxBytes() {
    return limits.maxBytes();
  }

  /// Scans `bytes[from, to)` of the token that starts at `start`. Returns the position where it
  /// stopped: after the token, at `to`, or at the start of an incomplete character.
  int scan(byte[] bytes, int start, int from, int to) throws XmlException {
    open(bytes, start, to);
    int p = from;
    while (p < to && state != DONE && !starved) {
      p = step(p);
    }
    close();
    return p;
  }

  /// The complete element in `bytes[start, to)`.
  Frame frame(byte[] bytes, int start, int to) {
    return frame.build(Arrays.copyOfRange(bytes, start, to), scope, limits, tag);
  }

  /// The tag and the declarations of a complete stream header.
  HeaderReader header(byte[] bytes, int start) {
    return new HeaderReader(bytes, start, tag, namespaces);
  }

  private int step(int p) throws XmlException {
    return switch (state) {
      case TEXT -> text(p);
      case BRACKETS -> brackets(p);
      case REFERENCE -> reference(p);
      case OPEN -> open(p);
      case NAME -> elementName(p);
      case TAG -> insideTag(p);
      case ATTRIBUTE -> attributeName(p);
      case EQUALS -> equalsSign(p);
      case QUOTE -> openingQuote(p);
      case VALUE -> value(p);
      case AFTER_VALUE -> afterName(p, in[p]);
      case SLASH -> afterSlash(p);
      case END_NAME -> endName(p);
      case END_SPACE -> endSpace(p);
      case BANG -> bang(p);
      case CDATA -> cdata(p);
      case INSTRUCTION -> instruction(p);
      case DECLARATION -> declaration(p);
      default -> throw new IllegalStateException("state " + state);
    };
  }

  private int text(int from) throws XmlException {
    byte[] bytes = in;
    int to = end;
    int p = WordScan.textEnd(bytes, from, to);
    while (p < to) {
      int c = bytes[p];
      if (c < 0) {
        p = character(p);
        if (starved) {
          return p;
        }
      } else if ((XmlChars.flags(c) & XmlChars.TEXT_STOP) == 0) {
        p++;
      } else {
        return markup(p, c);
      }
    }
    return p;
  }

  private int markup(int p, int c) throws XmlException {
    switch (c) {
      case '<' -> {
        tagFrom = p - base;
        state = OPEN;
      }
      case '&' -> beginReference(p, false);
      case ']' -> {
        brackets = 1;
        state = BRACKETS;
      }
      default -> throw notWellFormed("a control character");
    }
    return p + 1;
  }

  // After "]" in text, where "]]>" is not allowed.
  private int brackets(int p) throws XmlException {
    if (in[p] == ']') {
      brackets++;
      return p + 1;
    }
    if (in[p] == '>' && brackets >= 2) {
      throw notWellFormed("]]> in text");
    }
    state = TEXT;
    return p;
  }

  private void beginReference(int p, boolean fromValue) {
    mark = p + 1 - base;
    inValue = fromValue;
    state = REFERENCE;
  }

  private int reference(int from) throws XmlException {
    int p = from;
    while (p < end && in[p] != ';') {
      int c = in[p];
      if (c < 0 || ((XmlChars.flags(c) & XmlChars.NAME) == 0 && c != '#')) {
        throw notWellFormed("a broken reference");
      }
      p++;
    }
    if (p == end) {
      return p;
    }
    int first = base + mark;
    if (XmlText.reference(in, first, p) < 0) {
      throw p > first && in[first] != '#'
          ? new XmlException(Condition.RESTRICTED_XML, "an entity that is not predefined")
          : notWellFormed("a reference to no character");
    }
    state = inValue ? VALUE : TEXT;
    return p + 1;
  }

  private int open(int p) throws XmlException {
    int c = in[p];
    if (c == '/') {
      if (open.depth() == 0 && expect != ExpectedToken.ELEMENT_OR_CLOSE) {
        throw notWellFormed("an end tag before the stream header");
      }
      mark = p + 1 - base;
      state = END_NAME;
      return p + 1;
    }
    if (c == '!') {
      mark = p + 1 - base;
      state = BANG;
      return p + 1;
    }
    if (c == '?') {
      mark = p + 1 - base;
      state = expect == ExpectedToken.STREAM_START && open.depth() == 0 ? DECLARATION : INSTRUCTION;
      return p + 1;
    }
    if (c == 0 && expect == ExpectedToken.STREAM_START && open.depth() == 0) {
      throw new XmlException(Condition.UNSUPPORTED_ENCODING, "UTF-16");
    }
    if (expect == ExpectedToken.ELEMENT_OR_CLOSE
        && (open.depth() >= limits.maxDepth() || elements >= limits.maxElements())) {
      throw new XmlException(Condition.POLICY_VIOLATION, "too many elements, or too deep");
    }
    elements++;
    beginName(p, NAME);
    return p;
  }

  private void beginName(int p, int newState) {
    mark = p - base;
    colon = -1;
    state = newState;
  }

  private int elementName(int from) throws XmlException {
    int p = name(from);
    if (p == end || starved) {
      return p;
    }
    tag.begin(mark, p - base, colon);
    return afterName(p, in[p]);
  }

  private int afterName(int p, int c) throws XmlException {
    if (c == '>') {
      startTag(p + 1, false);
    } else if (c == '/') {
      state = SLASH;
    } else if (XmlChars.isSpace(c)) {
      state = TAG;
    } else {
      throw notWellFormed("a start tag is broken");
    }
    return p + 1;
  }

  private int insideTag(int from) throws XmlException {
    int p = skipSpace(from);
    if (p == end) {
      return p;
    }
    int c = in[p];
    if (c == '>' || c == '/') {
      return afterName(p, c);
    }
    if (tag.count() >= limits.maxAttributes()) {
      throw new XmlException(Condition.POLICY_VIOLATION, "too many attributes");
    }
    beginName(p, ATTRIBUTE);
    return p;
  }

  private int attributeName(int from) throws XmlException {
    int p = name(from);
    if (p == end || starved) {
      return p;
    }
    tag.attribute(mark, p - base, colon);
    state = EQUALS;
    return equalsSign(p);
  }

  private int equalsSign(int from) throws XmlException {
    int p = skipSpace(from);
    if (p == end) {
      return p;
    }
    if (in[p] != '=') {
      throw notWellFormed("an attribute without a value");
    }
    state = QUOTE;
    return openingQuote(p + 1);
  }

  private int openingQuote(int from) throws XmlException {
    int p = skipSpace(from);
    if (p == end) {
      return p;
    }
    quote = in[p];
    if (quote != '\'' && quote != '"') {
      throw notWellFormed("an attribute value without quotes");
    }
    valueFrom = p + 1 - base;
    state = VALUE;
    return value(p + 1);
  }

  private int value(int from) throws XmlException {
    byte[] bytes = in;
    int p = WordScan.valueEnd(bytes, from, end);
    while (p < end) {
      int c = bytes[p];
      if (c < 0) {
        p = character(p);
        if (starved) {
          return p;
        }
      } else if ((XmlChars.flags(c) & XmlChars.VALUE_STOP) == 0
          || (c != quote && (c == '\'' || c == '"'))) {
        p++;
      } else if (c == quote) {
        tag.value(valueFrom, p - base);
        state = AFTER_VALUE;
        return p + 1;
      } else if (c == '&') {
        beginReference(p, true);
        return p + 1;
      } else {
        throw notWellFormed("< or a control character in an attribute");
      }
    }
    return p;
  }

  private int afterSlash(int p) throws XmlException {
    if (in[p] != '>') {
      throw notWellFormed("/ without > in a start tag");
    }
    startTag(p + 1, true);
    return p + 1;
  }

  // A start tag is complete; `p` is the position after it.
  private void startTag(int p, boolean empty) throws XmlException {
    int outerDeclarations = namespaces.size();
    tag.check(in, base, limits);
    if (expect != ExpectedToken.ELEMENT_OR_CLOSE) {
      kind = empty ? TokenKind.EMPTY_HEADER : TokenKind.HEADER;
      state = DONE;
      return;
    }
    if (open.depth() == 0) {
      QName name = tag.name(in, base);
      if (name.name().equals("stream") && name.namespace().equals(XmlNamespaces.STREAM)) {
        throw new XmlException(Condition.INVALID_XML, "a stream header inside a stream");
      }
      frame.root(name, tag, p - base);
    } else if (open.depth() == 1) {
      frame.beginChild(tag.name(in, base), tagFrom);
    }
    open.push(tag.nameFrom(), tag.nameTo(), outerDeclarations);
    if (empty) {
      pop(p, p - base);
    } else {
      state = TEXT;
    }
  }

  // An element ends before `p`; its content ended at `contentTo`.
  private void pop(int p, int contentTo) {
    namespaces.shrink(open.pop());
    int depth = open.depth();
    if (depth == 0) {
      frame.end(contentTo);
      kind = TokenKind.ELEMENT;
      state = DONE;
      return;
    }
    if (depth == 1) {
      frame.endChild(p - base);
    }
    state = TEXT;
  }

  private int endName(int from) throws XmlException {
    boolean stream = open.depth() == 0;
    byte[] expected = stream ? scope.tagName() : in;
    int first = stream ? 0 : base + open.nameFrom();
    int last = stream ? expected.length : base + open.nameTo();
    int start = base + mark;
    int stop = start + (last - first);
    int known = Math.min(stop, end);
    if (!Arrays.equals(
        in, from, known, expected, first + (from - start), first + (known - start))) {
      throw notWellFormed("an end tag that does not match");
    }
    if (known == stop) {
      state = END_SPACE;
    }
    return known;
  }

  private int endSpace(int from) throws XmlException {
    int p = skipSpace(from);
    if (p == end) {
      return p;
    }
    if (in[p] != '>') {
      throw notWellFormed("an end tag that does not match");
    }
    if (open.depth() == 0) {
      kind = TokenKind.CLOSE;
      state = DONE;
    } else {
      pop(p + 1, tagFrom);
    }
    return p + 1;
  }

  // After "<!": only a CDATA section inside an element may follow.
  private int bang(int p) throws XmlException {
    int at = p - base - mark;
    int c = in[p];
    if (at == 0 && (c == '-' || c == 'D')) {
      throw new XmlException(Condition.RESTRICTED_XML, "a comment or a document type");
    }
    if (c != CDATA_START.charAt(at) || open.depth() == 0) {
      throw open.depth() == 0 && expect == ExpectedToken.ELEMENT_OR_CLOSE && c == '['
          ? new XmlException(Condition.BAD_FORMAT, "text between the elements of a stream")
          : notWellFormed("a broken declaration");
    }
    if (at == CDATA_START.length() - 1) {
      brackets = 0;
      frame.cdata();
      state = CDATA;
    }
    return p + 1;
  }

  private int cdata(int from) throws XmlException {
    int p = section(from);
    if (sectionEnded) {
      state = TEXT;
    }
    return p;
  }

  // After "<?" where no XML declaration is allowed: the target decides which error it is.
  private int instruction(int p) throws XmlException {
    int at = p - base - mark;
    if (at < 3 && in[p] == "xml".charAt(at)) {
      return p + 1;
    }
    throw at == 3 && XmlChars.isSpace(in[p])
        ? notWellFormed("an XML declaration that is not at the start")
        : new XmlException(Condition.RESTRICTED_XML, "a processing instruction");
  }

  private int declaration(int from) throws XmlException {
    int p = from;
    while (p < end) {
      int at = p - base - mark;
      if (at > MAX_DECLARATION) {
        throw notWellFormed("an XML declaration too long");
      }
      if (at < 3 ? in[p] != "xml".charAt(at) : at == 3 && !XmlChars.isSpace(in[p])) {
        throw new XmlException(Condition.RESTRICTED_XML, "a processing instruction");
      }
      if (in[p] == '>') {
        XmlDeclaration.check(in, base, p + 1);
        kind = TokenKind.DECLARATION;
        state = DONE;
        return p + 1;
      }
      p++;
    }
    return p;
  }
}
