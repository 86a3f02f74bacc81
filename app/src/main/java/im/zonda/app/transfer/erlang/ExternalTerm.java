package im.zonda.app.transfer.erlang;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Reads terms in Erlang's external term format, compressed or not: atoms, numbers, strings,
/// binaries, lists, tuples and maps, which are read as lists of pairs. Processes, references and
/// functions are not. Size and depth are bounded.
public final class ExternalTerm {
  private static final int VERSION = 131;
  private static final int COMPRESSED = 80;
  private static final int NEW_FLOAT = 70;
  private static final int SMALL_INTEGER = 97;
  private static final int INTEGER = 98;
  private static final int ATOM = 100;
  private static final int SMALL_TUPLE = 104;
  private static final int LARGE_TUPLE = 105;
  private static final int NIL = 106;
  private static final int STRING = 107;
  private static final int LIST = 108;
  private static final int BINARY = 109;
  private static final int SMALL_BIG = 110;
  private static final int LARGE_BIG = 111;
  private static final int SMALL_ATOM = 115;
  private static final int MAP = 116;
  private static final int ATOM_UTF8 = 118;
  private static final int SMALL_ATOM_UTF8 = 119;
  private static final int MAX_BIG_BYTES = 1_024;

  private final ByteBuffer bytes;
  private int terms;

  private ExternalTerm(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /// Whether bytes begin as this format does.
  public static boolean isOne(byte[] bytes) {
    return bytes.length > 1 && (bytes[0] & 0xFF) == VERSION;
  }

  /// Reads a term.
  ///
  /// @throws BadRecordException if the bytes are none
  public static Term read(byte[] bytes) throws BadRecordException {
    if (!isOne(bytes)) {
      throw new BadRecordException("not a term of Erlang");
    }
    if (bytes.length > ImportBounds.VALUE_BYTES) {
      throw tooLarge();
    }
    try {
      ByteBuffer content = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
      if ((bytes[1] & 0xFF) == COMPRESSED) {
        content = inflated(content.position(2));
      }
      ExternalTerm reader = new ExternalTerm(content);
      Term term = reader.term(0);
      if (content.hasRemaining()) {
        throw new BadRecordException("bytes after the end of a term");
      }
      return term;
    } catch (BufferUnderflowException e) {
      throw new BadRecordException("a term ends early");
    }
  }

  private static BadRecordException tooLarge() {
    return new BadRecordException(
        "a term is larger than " + (ImportBounds.VALUE_BYTES >> 20) + " MiB");
  }

  private static ByteBuffer inflated(ByteBuffer compressed) throws BadRecordException {
    int size = compressed.getInt();
    if (size < 0 || size > ImportBounds.VALUE_BYTES) {
      throw tooLarge();
    }
    byte[] content = new byte[size];
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(compressed);
      int read = 0;
      while (read < size && !inflater.finished()) {
        int more = inflater.inflate(content, read, size - read);
        if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          break;
        }
        read += more;
      }
      if (read < size) {
        throw new BadRecordException("a compressed term ends early");
      }
      return ByteBuffer.wrap(content);
    } catch (DataFormatException e) {
      throw new BadRecordException("a compressed term is damaged");
    } finally {
      inflater.end();
    }
  }

  private Term term(int depth) throws BadRecordException {
    if (depth > ImportBounds.DEPTH || ++terms > ImportBounds.ENTRIES * 4) {
      throw new BadRecordException("a term is nested too deep or too long");
    }
    int tag = bytes.get() & 0xFF;
    return switch (tag) {
      case SMALL_INTEGER -> new Term.Numeral(Integer.toString(bytes.get() & 0xFF));
      case INTEGER -> new Term.Numeral(Integer.toString(bytes.getInt()));
      case SMALL_BIG -> big(bytes.get() & 0xFF);
      case LARGE_BIG -> big(bytes.getInt());
      case NEW_FLOAT -> new Term.Numeral(Double.toString(bytes.getDouble()));
      case ATOM -> atom(bytes.getShort() & 0xFFFF, StandardCharsets.ISO_8859_1);
      case SMALL_ATOM -> atom(bytes.get() & 0xFF, StandardCharsets.ISO_8859_1);
      case ATOM_UTF8 -> atom(bytes.getShort() & 0xFFFF, StandardCharsets.UTF_8);
      case SMALL_ATOM_UTF8 -> atom(bytes.get() & 0xFF, StandardCharsets.UTF_8);
      case STRING -> new Term.Text(text(bytes.getShort() & 0xFFFF, StandardCharsets.UTF_8));
      case BINARY -> new Term.Text(text(bytes.getInt(), StandardCharsets.UTF_8));
      case NIL -> new Term.Items(List.of());
      case LIST -> list(depth);
      case SMALL_TUPLE -> new Term.Tuple(terms(bytes.get() & 0xFF, depth));
      case LARGE_TUPLE -> new Term.Tuple(terms(bytes.getInt(), depth));
      case MAP -> map(depth);
      default -> throw new BadRecordException("a term with the unknown tag " + tag);
    };
  }

  private Term list(int depth) throws BadRecordException {
    List<Term> all = terms(bytes.getInt(), depth);
    if (!(term(depth + 1) instanceof Term.Items(List<Term> tail)) || !tail.isEmpty()) {
      throw new BadRecordException("a list with a tail");
    }
    return new Term.Items(all);
  }

  private List<Term> terms(int count, int depth) throws BadRecordException {
    if (count < 0 || count > bytes.remaining()) {
      throw new BadRecordException("a term ends early");
    }
    List<Term> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(term(depth + 1));
    }
    return all;
  }

  private Term map(int depth) throws BadRecordException {
    int count = bytes.getInt();
    if (count < 0 || count > bytes.remaining()) {
      throw new BadRecordException("a term ends early");
    }
    List<Term> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pairs.add(new Term.Tuple(List.of(term(depth + 1), term(depth + 1))));
    }
    return new Term.Items(pairs);
  }

  private Term big(int size) throws BadRecordException {
    boolean negative = bytes.get() != 0;
    if (size < 0 || size > MAX_BIG_BYTES || size > bytes.remaining()) {
      throw new BadRecordException("a number is too large");
    }
    byte[] magnitude = new byte[size];
    for (int i = size - 1; i >= 0; i--) {
      magnitude[i] = bytes.get();
    }
    BigInteger value = new BigInteger(1, magnitude);
    return new Term.Numeral((negative ? value.negate() : value).toString());
  }

  private Term atom(int length, Charset charset) throws BadRecordException {
    return new Term.Atom(text(length, charset));
  }

  private String text(int length, Charset charset) throws BadRecordException {
    if (length < 0 || length > bytes.remaining()) {
      throw new BadRecordException("a term ends early");
    }
    ByteBuffer content = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    try {
      return charset.newDecoder().decode(content).toString();
    } catch (CharacterCodingException e) {
      throw new BadRecordException("a text is not " + charset);
    }
  }
}
