package im.zonda.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutualTlsTest {
  @TempDir private Path folder = Path.of("");
  private long time = 1_000_000;

  private PemFiles certificate(String name) throws IOException {
    return SelfSigned.ensure(
        folder.resolve(name), List.of(name), InstantSource.system(), new SecureRandom());
  }

  private void replace(Path file, byte[] content) throws IOException {
    Files.write(file, content);
    Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(time++)));
  }

  @Test
  void newFilesAreTakenUpAndBadOnesAreNot() throws IOException {
    PemFiles own = certificate("first.test");
    Path authority = folder.resolve("authority.pem");
    Files.copy(own.certificate(), authority, StandardCopyOption.REPLACE_EXISTING);
    MutualTls tls = MutualTls.load(own, authority);
    SSLContext before = tls.context();
    assertThat(tls.reloadIfChanged()).isFalse();

    byte[] good = Files.readAllBytes(authority);
    replace(authority, new byte[] {'x'});
    assertThat(tls.reloadIfChanged()).isFalse();
    assertThat(tls.context()).isSameAs(before);

    replace(authority, good);
    assertThat(tls.reloadIfChanged()).isTrue();
    SSLContext after = tls.context();
    assertThat(after).isNotSameAs(before);

    PemFiles other = certificate("second.test");
    replace(own.certificate(), Files.readAllBytes(other.certificate()));
    replace(own.key(), Files.readAllBytes(other.key()));
    assertThat(tls.reloadIfChanged()).isTrue();
    assertThat(tls.context()).isNotSameAs(after);
  }
}
