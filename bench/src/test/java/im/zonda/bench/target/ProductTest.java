package im.zonda.bench.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProductTest {
  /// A product may have been copied out of the source tree, or later commits may be there.
  @Test
  void theCommitIsThatOfTheBuild(@TempDir Path folder) throws IOException {
    Product product = new Product(folder.resolve("zonda"));
    assertThat(product.commit(folder)).isEmpty();
    Files.writeString(folder.resolve("commit"), "0123456789ab\n");
    assertThat(product.commit(folder)).isEqualTo("0123456789ab");
  }
}
