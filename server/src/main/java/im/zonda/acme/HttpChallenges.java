package im.zonda.acme;

import im.zonda.net.tls.PemText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Answers challenges by HTTP (`http-01`; RFC 8555, section 8.3). They are files in a folder, so
/// that every node of a cluster that shares it can answer.
public final class HttpChallenges implements ChallengeResponder {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{1,128}");
  private static final int MAX_BYTES = 512;

  private final Path folder;

  /// @param folder where they are kept; need not exist
  public HttpChallenges(Path folder) {
    this.folder = folder;
  }

  @Override
  public String type() {
    return "http-01";
  }

  /// The answer for a token, or null. Blocks.
  ///
  /// @throws IOException if a file cannot be read
  public @Nullable String find(String token) throws IOException {
    Path file = TOKEN.matcher(token).matches() ? folder.resolve(token) : null;
    try {
      return file == null || Files.size(file) > MAX_BYTES
          ? null
          : Files.readString(file, StandardCharsets.US_ASCII);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public void publish(String domain, String token, String authorization) throws IOException {
    Files.createDirectories(folder);
    PemText.write(file(token), authorization, PemText.PRIVATE);
  }

  @Override
  public void withdraw(String domain, String token) throws IOException {
    Files.deleteIfExists(file(token));
  }

  private Path file(String token) throws IOException {
    if (!TOKEN.matcher(token).matches()) {
      throw new AcmeException("the authority has sent a token that is none");
    }
    return folder.resolve(token);
  }
}
