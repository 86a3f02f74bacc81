package im.zonda.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.doctor.DoctorOperations.Examined;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Findings;
import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.operation.Input;
import im.zonda.operation.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorOperationsTest {
  private static final Findings SOME =
      new Findings(
          List.of(
              Finding.ok("swap", "there is none"),
              Finding.warning("clock", "it is not synchronised", "first", "or: second"),
              Finding.problem("certificate-of-all", "it \"expired\"")));

  private final Shape shape = DoctorOperations.DOCTOR.result();

  @Test
  void jsonHasEverything() {
    assertThat(JsonText.of(shape.data(Examined.of(SOME))))
        .isEqualTo(
            "{\"problems\":1,\"warnings\":1,\"ok\":1,\"findings\":["
                + "{\"node\":null,\"level\":\"ok\",\"subject\":\"swap\",\"text\":\"there is none\",\"advice\":[]},"
                + "{\"node\":null,\"level\":\"warning\",\"subject\":\"clock\",\"text\":\"it is not synchronised\","
                + "\"advice\":[\"first\",\"or: second\"]},"
                + "{\"node\":null,\"level\":\"problem\",\"subject\":\"certificate-of-all\","
                + "\"text\":\"it \\\"expired\\\"\",\"advice\":[]}]}");
  }

  @Test
  void findingsPassTheControlSocket() throws Exception {
    for (Findings each : List.of(SOME, new Findings(List.of()))) {
      String json = JsonText.of(shape.data(Examined.of(each)));
      Examined read = (Examined) Input.read(shape, JsonReader.object(json));
      assertThat(read.toFindings()).isEqualTo(each);
    }
  }
}
