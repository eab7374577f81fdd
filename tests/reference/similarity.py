"""Makes similarity.tsv: smooth cosine similarity and its gradients by PyTorch's autograd, in float64.

Columns: epsilon, value, gradient in x (3), gradient in z (3).
"""
import torch

for epsilon in (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 10.0):
    x = torch.tensor([0.3, -0.2, 0.5], dtype=torch.float64, requires_grad=True)
    z = torch.tensor([-0.1, 0.4, 0.2], dtype=torch.float64, requires_grad=True)
    r = (x @ z) / ((x.norm() + epsilon) * (z.norm() + epsilon))
    r.backward()
    print(epsilon, r.item(), *x.grad.tolist(), *z.grad.tolist(), sep="\t")
