package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.operation.Secret;
import im.zonda.plugins.webhooks.queue.EventQueue;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes targets from their files, and checks everything that can be checked without asking the
/// target.
///
/// @param folder the folder of the files, from which relative paths in them are meant
/// @param secret the key for targets that have none of their own; empty for none
record TargetReader(Path folder, Secret secret) {
  /// The most bytes of a file.
  static final int MOST_BYTES = 64 * 1024;

  private static final int LEAST_SECRET = 16;
  private static final long MOST_QUEUE = 16L << 30;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Set<String> KEYS =
      Set.of(
          "url",
          "kinds",
          "hosts",
          "rooms",
          "contents",
          "without-body",
          "secret-file",
          "authorities",
          "batch-events",
          "batch-delay",
          "time-limit",
          "retry-delay",
          "most-retry-delay",
          "queue",
          "rejected");

  /// Reads a target.
  ///
  /// @throws TargetFormatException if something in it is wrong
  /// @throws IOException if a file cannot be read
  Target read(String name, Path file) throws TargetFormatException, IOException {
    TargetText text = new TargetText(content(file), KEYS);
    return new Target(
        name,
        url(text),
        secret(text),
        authorities(text),
        filter(text),
        pace(text),
        text.size("queue", 64L << 20, EventQueue.Limits.LEAST_BYTES, MOST_QUEUE),
        text.size("rejected", 16L << 20, 1L << 20, MOST_QUEUE));
  }

  private static String content(Path file) throws TargetFormatException, IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new TargetFormatException(
          file.getFileName() + " has more than " + MOST_BYTES + " bytes.");
    }
    try {
      return Files.readString(file, UTF_8);
    } catch (CharacterCodingException e) {
      throw new TargetFormatException(file.getFileName() + " is not UTF-8.");
    }
  }

  private static URI url(TargetText text) throws TargetFormatException {
    String given = text.text("url");
    if (given == null) {
      throw new TargetFormatException("url is missing.");
    }
    URI url;
    try {
      url = new URI(given);
    } catch (URISyntaxException e) {
      throw new TargetFormatException("url is not the address of a page.");
    }
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (url.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
      throw new TargetFormatException(
          "url must be of the form https://example.org/path, or http:// on this machine.");
    }
    if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
      throw new TargetFormatException("url must not have a user, a password or a fragment.");
    }
    URI plain = URI.create(scheme + given.substring(scheme.length()));
    try {
      Receiver.address(plain);
    } catch (IOException e) {
      throw new TargetFormatException(e.getMessage() + ".");
    }
    return plain;
  }

  private Secret secret(TargetText text) throws TargetFormatException, IOException {
    String file = text.text("secret-file");
    Secret found =
        file == null ? secret : new Secret(content(resolve("secret-file", file)).strip());
    if (found.text().isEmpty()) {
      throw new TargetFormatException(
          "There is no key for signatures: set secret in [plugin.webhooks], or secret-file here.");
    }
    if (found.text().length() < LEAST_SECRET) {
      throw new TargetFormatException(
          "The key for signatures has fewer than " + LEAST_SECRET + " characters.");
    }
    return found;
  }

  private Path resolve(String key, String path) throws TargetFormatException {
    Path file = folder.resolve(path);
    if (!Files.isRegularFile(file)) {
      throw new TargetFormatException(key + ": there is no file " + file + ".");
    }
    return file;
  }

  private List<X509Certificate> authorities(TargetText text)
      throws TargetFormatException, IOException {
    String file = text.text("authorities");
    if (file == null) {
      return List.of();
    }
    List<X509Certificate> found = new ArrayList<>();
    try (InputStream in = Files.newInputStream(resolve("authorities", file))) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        found.add((X509Certificate) each);
      }
    } catch (CertificateException e) {
      throw new TargetFormatException("authorities: the certificates cannot be read.");
    }
    if (found.isEmpty()) {
      throw new TargetFormatException("authorities: there are no certificates in the file.");
    }
    return found;
  }

  private static Target.Filter filter(TargetText text) throws TargetFormatException {
    EnumSet<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    for (String word : text.texts("kinds")) {
      Set<EventKind> found = EventKind.of(word);
      if (found == null) {
        throw new TargetFormatException(
            "kinds: there is no kind "
                + word
                + "; there is all, messages, presence, sessions, rooms, "
                + String.join(
                    ", ", EnumSet.allOf(EventKind.class).stream().map(EventKind::word).toList())
                + ".");
      }
      kinds.addAll(found);
    }
    if (kinds.isEmpty()) {
      throw new TargetFormatException("kinds is missing, such as kinds = [\"messages\"].");
    }
    return new Target.Filter(
        kinds,
        hosts(text),
        rooms(text),
        text.flag("without-body"),
        contents(text.text("contents")));
  }

  private static Contents contents(@Nullable String word) throws TargetFormatException {
    Contents contents = word == null ? Contents.NONE : Contents.of(word);
    if (contents == null) {
      throw new TargetFormatException("contents must be none, text or stanza.");
    }
    return contents;
  }

  private static Set<String> hosts(TargetText text) throws TargetFormatException {
    Set<String> hosts = new HashSet<>();
    for (String each : text.texts("hosts")) {
      Jid host = address("hosts", each);
      if (!host.isDomain()) {
        throw new TargetFormatException("hosts: " + each + " is not a domain.");
      }
      hosts.add(host.domain());
    }
    return hosts;
  }

  private static Set<Jid> rooms(TargetText text) throws TargetFormatException {
    Set<Jid> rooms = new HashSet<>();
    for (String each : text.texts("rooms")) {
      Jid room = address("rooms", each);
      if (room.local() == null || room.isFull()) {
        throw new TargetFormatException("rooms: " + each + " is not the address of a room.");
      }
      rooms.add(room);
    }
    return rooms;
  }

  private static Jid address(String key, String text) throws TargetFormatException {
    try {
      return Jid.of(text);
    } catch (JidFormatException e) {
      throw new TargetFormatException(key + ": " + text + " is not an address.");
    }
  }

  private static Target.Pace pace(TargetText text) throws TargetFormatException {
    Duration first =
        text.duration("retry-delay", SECOND, Duration.ofMillis(100), Duration.ofHours(1));
    Duration most =
        text.duration("most-retry-delay", Duration.ofMinutes(5), SECOND, Duration.ofHours(6));
    return new Target.Pace(
        text.number("batch-events", 100, 1, 10_000),
        text.duration("batch-delay", SECOND, Duration.ZERO, Duration.ofMinutes(1)),
        text.duration(
            "time-limit", Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofMinutes(2)),
        first,
        most.compareTo(first) < 0 ? first : most);
  }
}
