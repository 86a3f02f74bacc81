package im.zonda.http.page;

import im.zonda.hash.HashFunction;
import im.zonda.http.HttpContent;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// A page, script or picture that is the same for everyone, with an entity tag. Clients that accept
/// it get text compressed (gzip), which was done once. Nothing that depends on the reader may be
/// one: the size of what is compressed tells about its content.
public final class StaticFile implements HttpHandler {
  /// What is smaller is not worth compressing.
  private static final int MIN_BYTES = 1_024;

  private static final int TAG_BYTES = 12;

  private final HttpResponse.Header type;
  private final List<HttpResponse.Header> fields;
  private final HttpContent plain;
  private final byte @Nullable [] compressed;
  private final String tag;

  private StaticFile(
      String type,
      List<HttpResponse.Header> fields,
      HttpContent plain,
      byte @Nullable [] compressed,
      String tag) {
    this.type = new HttpResponse.Header("Content-Type", type);
    this.fields = List.copyOf(fields);
    this.plain = plain;
    this.compressed = compressed;
    this.tag = tag;
  }

  /// A file of this program.
  ///
  /// @param beside a class in the package of which the file is
  /// @param cache how long it may be kept (`Cache-Control`)
  public static StaticFile of(Class<?> beside, String name, String type, String cache) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no file " + name);
      }
      return of(type, in.readAllBytes(), cache);
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  /// Some bytes.
  ///
  /// @param cache how long they may be kept (`Cache-Control`)
  public static StaticFile of(String type, byte[] bytes, String cache) {
    return of(type, bytes, new HttpContent.Bytes(bytes), cache);
  }

  /// The same, sent from elsewhere where they are not compressed.
  ///
  /// @param plain the same bytes, such as a file
  public static StaticFile of(String type, byte[] bytes, HttpContent plain, String cache) {
    byte[] smaller = isText(type) && bytes.length >= MIN_BYTES ? compress(bytes) : null;
    return new StaticFile(
        type,
        List.of(new HttpResponse.Header("Cache-Control", cache)),
        plain,
        smaller == null || smaller.length >= bytes.length ? null : smaller,
        hash(bytes));
  }

  /// The same with another header field.
  public StaticFile with(String name, String value) {
    List<HttpResponse.Header> more = new ArrayList<>(fields);
    more.add(new HttpResponse.Header(name, value));
    return new StaticFile(type.value(), more, plain, compressed, tag);
  }

  /// How many bytes of memory its compressed form takes.
  public int compressedBytes() {
    return compressed == null ? 0 : compressed.length;
  }

  @Override
  public HttpResponse handle(HttpRequest request) {
    byte[] smaller = acceptsGzip(request.header("Accept-Encoding")) ? compressed : null;
    String own = "\"" + tag + (smaller == null ? "" : "-gzip") + "\"";
    HttpResponse response =
        isKnown(request.header("If-None-Match"), own)
            ? HttpResponse.empty(304)
            : new HttpResponse(
                200, List.of(type), smaller == null ? plain : new HttpContent.Bytes(smaller));
    if (smaller != null && response.status() == 200) {
      response = response.with("Content-Encoding", "gzip");
    }
    if (compressed != null) {
      response = response.with("Vary", "Accept-Encoding");
    }
    response = response.with("ETag", own);
    for (HttpResponse.Header field : fields) {
      response = response.with(field.name(), field.value());
    }
    return response;
  }

  /// Whether gzip is named with a quality above 0, or everything is (RFC 9110, section 12.5.3).
  public static boolean acceptsGzip(@Nullable String accepted) {
    if (accepted == null) {
      return false;
    }
    boolean all = false;
    for (String part : accepted.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] words = part.split(";", -1);
      boolean refused = words.length > 1 && words[1].strip().matches("q\\s*=\\s*0(\\.0*)?");
      switch (words[0].strip()) {
        case "gzip", "x-gzip" -> {
          return !refused;
        }
        case "*" -> all = !refused;
        default -> {}
      }
    }
    return all;
  }

  /// Whether the client has the content already (RFC 9110, section 13.1.2).
  private static boolean isKnown(@Nullable String tags, String own) {
    if (tags == null) {
      return false;
    }
    for (String each : tags.split(",", -1)) {
      String one = each.strip();
      if (one.equals("*") || one.equals(own) || one.equals("W/" + own)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isText(String type) {
    return type.startsWith("text/")
        || type.equals("application/json")
        || type.equals("application/manifest+json")
        || type.equals("application/wasm")
        || type.equals("image/svg+xml");
  }

  private static byte[] compress(byte[] bytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(all)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toByteArray();
  }

  private static String hash(byte[] bytes) {
    return HexFormat.of().formatHex(HashFunction.SHA_256.hash(bytes), 0, TAG_BYTES);
  }
}
