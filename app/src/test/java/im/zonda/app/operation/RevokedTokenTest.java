package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Api;
import im.zonda.operation.Grant;
import im.zonda.operation.token.ApiTokens;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevokedTokenTest {
  /// No time passes, and this node was asked just before.
  @Test
  void aTokenThatAnotherNodeHasRevokedIsRejectedAtOnce(@TempDir Path folder) throws Exception {
    try (RunningApi api =
        new RunningApi(folder, new Api(List.of("127.0.0.1:0"), List.of(), List.of()))) {
      String jobs = "GET /api/v1/jobs HTTP/1.1\nHost: own.example\nAuthorization: Bearer ";
      ApiTokens elsewhere =
          new ApiTokens(api.server.stores()::keyValues, api.clock, new SecureRandom());
      String made =
          Objects.requireNonNull(
              elsewhere.create("made", Grant.ALL, "test", api.clock.instant().plusSeconds(60)));
      assertThat(api.send(jobs + made, "")).contains(" 200 ");
      assertThat(elsewhere.revoke("made")).isTrue();
      assertThat(api.send(jobs + made, "")).contains(" 401 ");
    }
  }
}
