package toy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MatrixTest {
  @Test
  void multiplies() {
    int size = 260;
    double[][] a = new double[size][size];
    double[][] b = new double[size][size];
    double[][] c = new double[size][size];
    for (int i = 0; i < size; i++) {
      a[i][i] = 2;
      b[i][size - 1 - i] = 3;
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        double sum = 0;
        for (int k = 0; k < size; k++) {
          sum += a[i][k] * b[k][j];
        }
        c[i][j] = sum;
      }
    }
    assertEquals(6, c[0][size - 1]);
  }
}
