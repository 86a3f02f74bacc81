package im.zonda.net.tls;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileTrustTest {
  @TempDir private Path folder = Path.of("");

  private PemFiles selfSigned(String domain) throws IOException {
    return SelfSigned.ensure(
        folder.resolve(domain), List.of(domain), InstantSource.system(), new SecureRandom());
  }

  private static X509Certificate[] chain(PemFiles files) throws IOException {
    return TlsIdentity.load(files).chain().toArray(X509Certificate[]::new);
  }

  @Test
  void trustsAllAuthoritiesOfTheFileAndNoOthers() throws Exception {
    PemFiles one = selfSigned("one.example");
    PemFiles two = selfSigned("two.example");
    PemFiles other = selfSigned("other.example");
    Path file = folder.resolve("authorities.crt");
    Files.writeString(
        file, Files.readString(one.certificate()) + Files.readString(two.certificate()));

    X509TrustManager trust = FileTrust.load(file);

    for (PemFiles trusted : List.of(one, two)) {
      assertThatCode(() -> trust.checkServerTrusted(chain(trusted), "UNKNOWN"))
          .doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> trust.checkServerTrusted(chain(other), "UNKNOWN"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void aFileWithoutCertificatesIsRejectedWithItsName() throws IOException {
    Path file = Files.writeString(folder.resolve("empty.crt"), "");
    assertThatThrownBy(() -> FileTrust.load(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("empty.crt");
  }
}
