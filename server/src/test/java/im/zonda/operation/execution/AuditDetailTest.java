package im.zonda.operation.execution;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.store.AuditStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AuditDetailTest {
  private static Map<String, @Nullable Object> change(int number, String after) {
    Map<String, @Nullable Object> change = new LinkedHashMap<>();
    change.put("what", "w" + number);
    change.put("before", null);
    change.put("after", after);
    return change;
  }

  private static List<Map<String, @Nullable Object>> changes(int count, String after) {
    List<Map<String, @Nullable Object>> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      changes.add(change(i, after));
    }
    return changes;
  }

  private static Map<String, @Nullable Object> members(AuditDetail detail) {
    String text = detail.text(JsonText::of);
    assertThat(text.getBytes(StandardCharsets.UTF_8).length)
        .isLessThanOrEqualTo(AuditStore.MAX_DETAIL_BYTES);
    return JsonReader.object(text);
  }

  @Test
  void whatFitsIsWhole() {
    assertThat(new AuditDetail(Map.of("a", "b"), changes(1, "x"), "why").text(JsonText::of))
        .isEqualTo(
            "{\"input\":{\"a\":\"b\"},"
                + "\"changes\":[{\"what\":\"w0\",\"before\":null,\"after\":\"x\"}],"
                + "\"reason\":\"why\"}");
    assertThat(new AuditDetail(null, List.of(), null).text(JsonText::of)).isEqualTo("{}");
  }

  @Test
  void theLargestMembersOfTheInputAreLeftOutAndNamed() {
    Map<String, @Nullable Object> input = new LinkedHashMap<>();
    input.put("name", "list");
    input.put("members", Collections.nCopies(1_000, "romeo@example.org"));
    input.put("text", "\u00fc".repeat(3_000));
    input.put("limit", 5);
    assertThat(members(new AuditDetail(input, changes(1, "x"), null)))
        .containsEntry("input", Map.of("name", "list", "limit", 5L))
        .containsKey("changes")
        .containsEntry("cut", Map.of("input", List.of("members", "text")));
  }

  @Test
  void asManyChangesAsFitAreKept() {
    Map<String, @Nullable Object> kept =
        members(new AuditDetail(Map.of("a", "b"), changes(1_000, "x".repeat(50)), "why"));
    assertThat(kept).containsEntry("input", Map.of("a", "b")).containsEntry("reason", "why");
    int count = ((List<?>) Objects.requireNonNull(kept.get("changes"))).size();
    assertThat(count).isBetween(30, 60);
    assertThat(kept).containsEntry("cut", Map.of("changes", 1_000L - count));
  }

  @Test
  void oneChangeThatDoesNotFitIsCounted() {
    assertThat(members(new AuditDetail(Map.of("a", "b"), changes(1, "x".repeat(5_000)), null)))
        .doesNotContainKey("changes")
        .containsEntry("cut", Map.of("changes", 1L));
  }

  @Test
  void aLongReasonIsShortened() {
    Map<String, @Nullable Object> kept =
        members(new AuditDetail(Map.of("a", "b"), List.of(), "\ud83d\ude00".repeat(5_000)));
    assertThat(kept.get("reason")).isEqualTo("\ud83d\ude00".repeat(250));
    assertThat(kept.get("cut")).isEqualTo(Map.of("input", List.of("a"), "reason", true));
  }
}
