package im.zonda.app.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// [Knots] on a planted knot; `ArchitectureTest` has those of the product.
class KnotsTest {
  @Test
  void aPlantedKnotIsFound() {
    JavaClasses planted = new ClassFileImporter().importPackages("planted.jid.knot");
    assertThat(Knots.largest(planted))
        .containsExactly(new Knots.Knot("planted.jid.knot", Set.of("First", "Second")));
  }
}
