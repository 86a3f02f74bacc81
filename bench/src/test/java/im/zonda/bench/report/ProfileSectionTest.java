package im.zonda.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileSectionTest {
  private static String section(String scenario) {
    Result result = Results.of(scenario, "zonda", 1);
    List<Result.Figure> figures = new ArrayList<>(result.figures());
    figures.add(new Result.Figure("share-login", "login", 1.25, "%", null));
    figures.add(new Result.Figure("share-tls", "TLS", 11, "%", null));
    Html html = new Html();
    ProfileSection.write(
        html,
        List.of(
            new Result(
                result.run(),
                result.machine(),
                result.subject(),
                figures,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of())));
    return html.toString();
  }

  @Test
  void sharesStandBesideThoseOfTheDocument() {
    assertThat(section("profile"))
        .contains("Messenger 2.3.0", "String: 62 %", "Openfire 2.4.0", "network and XML: 51 %")
        .contains("login and TLS: 12.3 %")
        .doesNotContain("storage:");
  }

  @Test
  void otherRunsHaveNone() {
    assertThat(section("chat")).isEmpty();
  }
}
