package io.holdfast.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every subtype of a sealed family is handled where the family is matched. Java 17 does not check
 * that: a family has {@code Cases} with one method for each subtype, or a ladder of {@code
 * instanceof} that asks for two of a family's subtypes must ask for all of them.
 */
class SealedFamiliesTest {

  private final JavaClasses main =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .withImportOption(location -> !location.contains("/protos-"))
          .withImportOption(location -> !location.contains("/holdfast/client/"))
          .importPackages("io.holdfast");

  private final List<Class<?>> families =
      main.stream()
          .<Class<?>>map(JavaClass::reflect)
          .filter(Class::isSealed)
          .filter(Class::isInterface)
          .toList();

  @Test
  void there_are_families() {
    assertTrue(families.size() >= 5, families::toString);
  }

  @Test
  void a_family_s_cases_are_its_subtypes() {
    for (Class<?> family : families) {
      for (Class<?> cases : family.getDeclaredClasses()) {
        if (cases.getSimpleName().equals("Cases")) {
          assertEquals(
              names(family.getPermittedSubclasses()),
              Stream.of(cases.getDeclaredMethods())
                  .map(Method::getParameterTypes)
                  .map(parameters -> parameters[0].getName())
                  .collect(Collectors.toCollection(TreeSet::new)),
              cases::getName);
        }
      }
    }
  }

  @Test
  void a_ladder_that_asks_for_two_of_a_family_asks_for_all() {
    List<String> gaps = new ArrayList<>();
    int ladders = 0;
    for (JavaClass javaClass : main) {
      for (JavaCodeUnit unit : javaClass.getCodeUnits()) {
        Set<String> asked =
            unit.getInstanceofChecks().stream()
                .map(InstanceofCheck::getRawType)
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        for (Class<?> family : families) {
          Set<String> all = names(family.getPermittedSubclasses());
          Set<String> seen = new TreeSet<>(asked);
          seen.retainAll(all);
          if (seen.size() >= 2) {
            ladders++;
            all.removeAll(asked);
            all.forEach(gap -> gaps.add(unit.getFullName() + " has no case for " + gap));
          }
        }
      }
    }
    assertEquals(List.of(), gaps);
    assertTrue(ladders >= families.size(), "too few ladders found: " + ladders);
  }

  private static Set<String> names(Class<?>[] types) {
    return Stream.of(types).map(Class::getName).collect(Collectors.toCollection(TreeSet::new));
  }
}
